import { expect, test } from "@jest/globals";
import { exceptionKinds } from "./exception.ts";
import { exceptionSteps, isNextStep, keptHandling } from "./exception-steps.ts";

test("the steps of last free days lead to each other in both directions, and to no other case", () => {
  const days = ["last_free_day_soon", "last_free_day_today", "last_free_day_over"] as const;
  for (const from of days) {
    const next = exceptionKinds.filter((to) => isNextStep(from, to));
    expect(next.toSorted()).toEqual(days.filter((one) => one !== from).toSorted());
  }
  expect(isNextStep("last_free_day_over", "not_returned")).toBe(false);
  expect(isNextStep("rollover", "missed_transshipment")).toBe(false);
  expect(isNextStep("connection_at_risk", "missed_transshipment")).toBe(true);
  expect(exceptionSteps).toContainEqual(["tracking_request_waiting", "tracking_request_failed"]);
  expect(isNextStep("tracking_request_failed", "tracking_request_waiting")).toBe(false);
});

test("the owner and the note are those of the most urgent exception that has one", () => {
  const [today, appointment] = [
    { ownerUserId: "ann", note: null },
    { ownerUserId: "ben", note: "Truck on Friday" },
  ];
  expect(keptHandling([today, appointment])).toEqual({ ownerUserId: "ann", note: "Truck on Friday" });
  expect(keptHandling([])).toEqual({ ownerUserId: null, note: null });
});
