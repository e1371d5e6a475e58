import { expect, test } from "@jest/globals";
import { type ExceptionKind, exceptionKinds } from "./exception.ts";
import { exceptionSteps, inheritedHandling, isNextStep } from "./exception-steps.ts";

const isNextKind = (from: ExceptionKind, to: ExceptionKind) =>
  isNextStep(
    { kind: from, subjectId: "box", scopeId: "shipment" },
    { kind: to, subjectId: "box", scopeId: "shipment" },
  );

test("link the last free days in both directions, and no other case", () => {
  const days = ["last_free_day_soon", "last_free_day_today", "last_free_day_over"] as const;
  for (const from of days) {
    const next = exceptionKinds.filter((to) => isNextKind(from, to));
    expect(next.toSorted()).toEqual(days.filter((one) => one !== from).toSorted());
  }
  expect(isNextKind("last_free_day_over", "not_returned")).toBe(false);
  expect(isNextKind("rollover", "missed_transshipment")).toBe(false);
  expect(isNextKind("connection_at_risk", "missed_transshipment")).toBe(true);
  expect(exceptionSteps).toContainEqual(["tracking_request_waiting", "tracking_request_failed"]);
  expect(isNextKind("tracking_request_failed", "tracking_request_waiting")).toBe(false);
});

test("an arrival goes on when it becomes that of a container, or of the shipment again", () => {
  const step = (subjectId: string, kind: ExceptionKind = "eta_delay", scopeId = "shipment") => ({
    kind,
    subjectId,
    scopeId,
  });
  expect(isNextStep(step("shipment"), step("box"))).toBe(true);
  expect(isNextStep(step("box"), step("shipment"))).toBe(true);
  expect(isNextStep(step("box"), step("other box"))).toBe(false);
  expect(isNextStep(step("shipment"), step("box", "arrival_overdue"))).toBe(false);
  expect(isNextStep(step("shipment"), step("box", "eta_delay", "other shipment"))).toBe(false);
  expect(isNextStep(step("shipment", "carrier_silent"), step("box", "carrier_silent"))).toBe(false);
});

test("the owner and the note are those of the most urgent exception that has one", () => {
  const [today, appointment] = [
    { ownerUserId: "ann", note: null },
    { ownerUserId: "ben", note: "Truck on Friday" },
  ];
  expect(inheritedHandling([today, appointment])).toEqual({ ownerUserId: "ann", note: "Truck on Friday" });
  expect(inheritedHandling([])).toEqual({ ownerUserId: null, note: null });
});
