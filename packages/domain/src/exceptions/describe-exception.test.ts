import { expect, test } from "@jest/globals";
import { instant } from "../instant.ts";
import { exceptionCause, exceptionSummary, summaryWithoutPrice } from "./describe-exception.ts";
import { type ExceptionKind, exceptionKinds } from "./exception.ts";

const endedAt = instant("2026-06-10T12:00:00.000Z");

test("a last free day by a rule is named as such, beside the one that is reported", () => {
  const details = { days: 1, lastFreeDay: "2026-06-04" };
  const causeOf = (reportedLastFreeDay: string | null) =>
    exceptionCause({ kind: "last_free_day_soon", details: { ...details, reportedLastFreeDay } });
  expect(causeOf("2026-06-06")).toBe(
    "Last free day: 4 Jun 2026 by a demurrage rule of the account; 6 Jun 2026 is reported.",
  );
  expect(causeOf(null)).toBe("Last free day: 4 Jun 2026 by a demurrage rule of the account.");
});

test("a later ETA stands beside the original one", () => {
  const details = { days: 6, estimatedArrivalDate: "2026-03-02" };
  expect(exceptionSummary({ kind: "eta_delay", details })).toBe("ETA 6 days later than original");
  expect(exceptionCause({ kind: "eta_delay", details })).toBe("ETA 2 Mar 2026, originally 24 Feb 2026.");
});

test("describes an ended condition in the past tense, without growing amounts", () => {
  const amounts = [{ amount: 985, currencyCode: "USD" }];
  const details = { days: 6, lastFreeDay: "2026-06-04", amounts, perDay: { amount: 150, currencyCode: "USD" } };
  const summaryOf = (kind: ExceptionKind) => exceptionSummary({ kind, details, endedAt });
  expect(summaryOf("last_free_day_over")).toBe("Was 6 days over the last free day, 985.00 USD");
  expect(summaryOf("last_free_day_today")).toBe("Last free day was 4 Jun 2026");
  expect(exceptionCause({ kind: "last_free_day_today", details, endedAt })).toBeNull();
  expect(exceptionCause({ kind: "last_free_day_over", details, endedAt })).toBe("Last free day: 4 Jun 2026.");
  expect(summaryOf("not_returned")).toBe("Was not returned for 6 days after the pickup, 985.00 USD");
});

test.each(exceptionKinds)("without its price, %s has the summary of one that costs nothing", (kind) => {
  const amounts = [
    { amount: 1985, currencyCode: "USD" },
    { amount: 20, currencyCode: null },
  ];
  const prices = [
    { amounts },
    { amounts: [{ amount: 7500, currencyCode: "JPY" }], perDay: { amount: 12.376, currencyCode: "KWD" } },
    { perDay: { amount: 2500, currencyCode: "JPY" } },
    { perDay: { amount: 150.5, currencyCode: "USD" } },
    { amounts, perDay: { amount: 150, currencyCode: "USD" } },
  ];
  for (const stopped of [{}, { trackingStoppedDate: "2026-06-09" }]) {
    const details = { days: 6, lastFreeDay: "2026-06-04", holds: ["customs_hold"], ...stopped };
    for (const end of [null, endedAt]) {
      const free = exceptionSummary({ kind, details, endedAt: end });
      for (const price of prices) {
        const summary = exceptionSummary({ kind, details: { ...details, ...price }, endedAt: end });
        expect(summaryWithoutPrice(summary)).toBe(free);
      }
    }
  }
});

test.each([
  ["rejected", "credentials rejected"],
  ["unreachable", "no usable response"],
  ["not_offered", "no address configured"],
] as const)("a waiting request names the failure of the connection to its carrier: %s", (error, failure) => {
  const details = { days: 9, requestStatus: "pending", failingConnection: { scac: "HLCU", error } } as const;
  const waiting = { kind: "tracking_request_waiting", details } as const;
  expect(exceptionSummary(waiting)).toBe(`Connection to the carrier fails: ${failure}, pending for 9 days`);
  expect(exceptionCause(waiting)).toBe(
    `The connection to the carrier HLCU fails: ${failure}. Check and test it on the Carriers page.`,
  );
  expect(exceptionSummary({ ...waiting, endedAt })).toBe("Tracking request was pending for 9 days");
});

test("a connection that is throttled does not fail", () => {
  const details = {
    days: 9,
    requestStatus: "pending",
    failingConnection: { scac: "HLCU", error: "throttled" },
  } as const;
  const waiting = { kind: "tracking_request_waiting", details } as const;
  expect([exceptionSummary(waiting), exceptionCause(waiting)]).toEqual(["Tracking request pending for 9 days", null]);
});

test("a kind of a newer build has its name as the summary, and no cause", () => {
  const newer = { kind: "strike_announced" as ExceptionKind, details: {} };
  expect([exceptionSummary(newer), exceptionCause(newer)]).toEqual(["Strike announced", null]);
});
