import { describe, expect, test } from "@jest/globals";
import { addMs, hourMs, instant } from "@svc/domain";
import { evaluateEndpoint } from "@svc/domain/webhooks";
import { visibleText } from "../testing/visible-text.ts";
import { stateNote, stateSince, type WebhookAttributes } from "./webhook-text.ts";

const failingSince = instant("2026-11-21T10:00:00Z");

const webhook = (changes: Partial<WebhookAttributes> = {}): WebhookAttributes => ({
  active: true,
  paused: false,
  url: "https://hooks.example.test/",
  events: ["*"],
  headers: [],
  rate_limit: null,
  secret: null,
  failing_since: failingSince,
  last_notice: null,
  last_notice_at: null,
  deactivated_at: null,
  deactivated_reason: null,
  created_at: failingSince,
  ...changes,
});

const textOf = (markup: unknown): string => visibleText(String(markup)).trim();

describe("the note of a failing webhook", () => {
  test("says after how many failures, and when at the earliest, the webhook is disabled", () => {
    expect(textOf(stateNote(webhook()))).toBe(
      "Failing since 21 Nov 2026, 10:00 UTC . Notifications are retried. The webhook is disabled after 20 failed " +
        "attempts in a row, but not before 24 Nov 2026, 10:00 UTC .",
    );
  });

  test("has the numbers of the rule by which webhooks are disabled", () => {
    const url = "https://hooks.example.test/";
    const failure = { verdict: { kind: "exhausted" }, url, durationMs: 1, httpStatus: 500, errorClass: null } as const;
    const isDisabledBy = (failures: number, hours: number): boolean => {
      const before = { consecutiveFailures: failures - 1, failingSince, lastSuccessAt: null };
      const endpoint = { ...before, isActive: true, url, concurrency: 1, warnings: 0, lastNotice: null };
      return evaluateEndpoint(endpoint, [failure], addMs(failingSince, hours * hourMs))?.deactivation === "failing";
    };
    expect([isDisabledBy(20, 72), isDisabledBy(19, 72), isDisabledBy(20, 71)]).toEqual([true, false, false]);
  });
});

test.each([
  [webhook({ failing_since: new Date().toISOString() }), "for less than a minute"],
  [webhook({ failing_since: new Date(Date.now() - 3 * hourMs).toISOString() }), "for 3 hours"],
  [
    webhook({
      active: false,
      deactivated_at: new Date(Date.now() - 3 * hourMs).toISOString(),
      deactivated_reason: "failing",
    }),
    "3 hours ago , because nothing was delivered for 72 hours",
  ],
  [webhook({ failing_since: null }), "null"],
])("the list says how long a webhook fails, and when it was disabled: %#", (one, text) => {
  expect(textOf(stateSince(one))).toBe(text);
});
