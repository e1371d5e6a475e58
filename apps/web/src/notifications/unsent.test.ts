import { expect, test } from "@jest/globals";
import type { Delivery } from "./delivery-text.ts";
import { isUnsent, statusBadge } from "./notification-table.ts";

const delivery = (changes: Partial<Delivery>): Delivery => ({
  event: "container.updated",
  delivery_status: "failed",
  created_at: "2026-11-21T10:00:00.000Z",
  state: "failed",
  webhook_url: null,
  prior_attempts: 0,
  last_attempt: null,
  next_attempt_at: null,
  body: "{}",
  ...changes,
});

test("a notification whose webhook was deleted before the first attempt is not sent, not failed", () => {
  expect(isUnsent(delivery({}))).toBe(true);
  expect(String(statusBadge("failed", true))).toContain("Not sent: webhook deleted");
  expect(isUnsent(delivery({ webhook_url: "https://a.test" }))).toBe(false);
  expect(isUnsent(delivery({ delivery_status: "succeeded" }))).toBe(false);
  const last_attempt = { attempt_number: 1, status_code: 500, error_class: null };
  expect(isUnsent(delivery({ last_attempt }))).toBe(false);
});
