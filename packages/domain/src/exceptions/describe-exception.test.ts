import { expect, test } from "@jest/globals";
import { instant } from "../instant.ts";
import { exceptionCause, exceptionSummary } from "./describe-exception.ts";
import type { ExceptionKind } from "./exception.ts";

const endedAt = instant("2026-06-10T12:00:00.000Z");

test("a last free day by a rule is named as such, beside the one that is reported", () => {
  const details = { days: 1, lastFreeDay: "2026-06-04" };
  const causeOf = (reportedLastFreeDay: string | null) =>
    exceptionCause({ kind: "last_free_day_soon", details: { ...details, reportedLastFreeDay } });
  expect(causeOf("2026-06-06")).toBe("It is 4 Jun 2026 by a demurrage rule of the account; 6 Jun 2026 is reported.");
  expect(causeOf(null)).toBe("It is 4 Jun 2026 by a demurrage rule of the account.");
});

test("a condition that has ended is described in the past, without what grows", () => {
  const amounts = [{ amount: 985, currencyCode: "USD" }];
  const details = { days: 6, lastFreeDay: "2026-06-04", amounts, perDay: { amount: 150, currencyCode: "USD" } };
  const summaryOf = (kind: ExceptionKind) => exceptionSummary({ kind, details, endedAt });
  expect(summaryOf("last_free_day_over")).toBe("Was 6 days over the last free day, 985.00 USD");
  expect(summaryOf("last_free_day_today")).toBe("Last free day was 4 Jun 2026");
  expect(exceptionCause({ kind: "last_free_day_today", details, endedAt })).toBeNull();
  expect(exceptionCause({ kind: "last_free_day_over", details, endedAt })).toBe("It was 4 Jun 2026.");
  expect(summaryOf("not_returned")).toBe("Was not returned for 6 days after the pickup, 985.00 USD");
});
