import { expect, test } from "@jest/globals";
import type { AuditEventResource } from "@svc/sdk";
import { changedValue, subjectName } from "./audit-page.ts";

test.each([
  ["2026-12-17T10:00:00.000Z", "17 Dec 2026, 10:00 UTC"],
  ["2026-12-17", "Thu, 17 Dec 2026"],
  ["by_member", "by member"],
  ["container.transport.vessel_arrived", "container.transport.vessel_arrived"],
  ["ann_b@example.com", "ann_b@example.com"],
  [true, "yes"],
  [null, "none"],
  [
    [
      { from_day: 1, amount: 50 },
      { from_day: 5, amount: 80 },
    ],
    "from day 1, amount 50; from day 5, amount 80",
  ],
])("the value %j is shown as %s", (value, label) => {
  expect(changedValue("resolution", value)).toBe(label);
});

test("names an exception by the label of its kind, and a subject without a name by its id", () => {
  const named = (subject_type: string, subject_name: string | null) =>
    subjectName({ subject_type, subject_name, subject_id: "1" } as AuditEventResource["attributes"], new Map());
  expect(named("exception", "tracking_request_failed")).toBe("Request failed");
  expect(named("webhook", "tracking_request_failed")).toBe("tracking_request_failed");
  expect(named("member", null)).toBe("1");
});

test("names weekdays", () => {
  expect(changedValue("weekend_days", [6, 7])).toBe("Saturday, Sunday");
});

test("shows texts of members unchanged, also those that resemble codes", () => {
  expect(changedValue("api_slug", "cost_centre")).toBe("cost_centre");
  expect(changedValue("shipmentTags", ["cold_chain", "urgent"])).toBe("cold_chain, urgent");
});
