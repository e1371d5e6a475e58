import { expect, test } from "@jest/globals";
import type { DeliveryDetails } from "@svc/persistence/notifications";
import { isUnsent, statusBadge } from "./notification-table.ts";

const state = (changes: Partial<DeliveryDetails>): DeliveryDetails => ({
  notificationId: "n",
  webhookUrl: null,
  lastAttempt: null,
  nextAttemptAt: null,
  priorAttempts: 0,
  state: "failed",
  ...changes,
});

test("a notification whose webhook was deleted before the first attempt is not sent, not failed", () => {
  expect(isUnsent(state({}), "failed")).toBe(true);
  expect(String(statusBadge("failed", true))).toContain("Not sent: webhook deleted");
  expect(isUnsent(state({ webhookUrl: "https://a.test" }), "failed")).toBe(false);
  expect(isUnsent(state({}), "succeeded")).toBe(false);
  const lastAttempt = { number: 1, httpStatus: 500, errorClass: null } as DeliveryDetails["lastAttempt"];
  expect(isUnsent(state({ lastAttempt }), "failed")).toBe(false);
  expect(isUnsent(undefined, "failed")).toBe(false);
});
