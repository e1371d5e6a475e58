import { describe, expect, test } from "@jest/globals";
import type { EtaChangeCause } from "../eta-changes/eta-change-cause.ts";
import { addMs, dayMs, hourMs, type Instant, instant } from "../instant.ts";
import { type DelayException, delayReasonText, exceptionCause, exceptionSummary } from "./describe-exception.ts";
import { type ContainerExceptionFacts, evaluateShipment, type ShipmentExceptionFacts } from "./exception-rules.ts";
import { container, now, ruleCharge, shipment } from "./testing/exception-facts.ts";

const evaluateShipmentWith = (changes: Partial<ShipmentExceptionFacts>, at: Instant = now) =>
  evaluateShipment({ ...shipment, ...changes }, at);
const evaluate = (changes: Partial<ContainerExceptionFacts>, at: Instant = now) =>
  evaluateShipmentWith(
    { containers: [{ ...container, ...changes }], trackedSince: at, lastSucceededAt: at, lastChangedAt: at },
    at,
  );
const kinds = ({ found }: { found: readonly { kind: string; severity: string; details: { days?: number } }[] }) =>
  found.map(({ kind, severity, details }) => [kind, severity, details.days]);

describe("exceptions of a container", () => {
  test("a container without problems has none, and is checked when its last free day is near", () => {
    const { found, nextCheckAt } = evaluate({ lastFreeDay: "2026-06-14" });
    expect([found, nextCheckAt]).toEqual([[], "2026-06-11T07:00:00.000Z"]);
  });

  test.each([
    ["2026-06-13", "last_free_day_soon", "warning", 3],
    ["2026-06-11", "last_free_day_soon", "warning", 1],
    ["2026-06-10", "last_free_day_today", "critical", 0],
    ["2026-06-09", "last_free_day_over", "critical", 1],
  ])("a last free day of %s is %s", (lastFreeDay, ...expected) => {
    expect(kinds(evaluate({ lastFreeDay }))).toEqual([expected]);
  });

  test("the last free day ends with the day at the place of pickup, also when the clocks change", () => {
    const afterMidnightUtc = instant("2026-06-11T03:00:00.000Z");
    expect(kinds(evaluate({ lastFreeDay: "2026-06-10" }, afterMidnightUtc))).toEqual([
      ["last_free_day_today", "critical", 0],
    ]);
    expect(kinds(evaluate({ lastFreeDay: "2026-06-10", timeZone: "Asia/Tokyo" }, afterMidnightUtc))).toEqual([
      ["last_free_day_over", "critical", 1],
    ]);
    const { nextCheckAt } = evaluate({ lastFreeDay: "2026-11-05" }, instant("2026-11-01T08:30:00.000Z"));
    expect(nextCheckAt).toBe("2026-11-02T08:00:00.000Z");
  });

  test("an appointment after the last free day is found until that day is over, on the clock of the place", () => {
    // The evening of 12 June in Los Angeles.
    const pickupAppointmentAt = instant("2026-06-13T03:00:00.000Z");
    const { found } = evaluate({ lastFreeDay: "2026-06-11", pickupAppointmentAt });
    expect(kinds({ found })).toEqual([
      ["late_appointment", "warning", 1],
      ["last_free_day_soon", "warning", 1],
    ]);
    expect(found.slice(0, 1).map((one) => [exceptionSummary(one), exceptionCause(one)])).toEqual([
      [
        "Pickup appointment 1 day after the last free day",
        "The appointment is on 12 Jun 2026, the last free day is 11 Jun 2026.",
      ],
    ]);
    expect(kinds(evaluate({ lastFreeDay: "2026-06-12", pickupAppointmentAt }))).toEqual([
      ["last_free_day_soon", "warning", 2],
    ]);
    expect(kinds(evaluate({ lastFreeDay: "2026-06-09", pickupAppointmentAt }))).toEqual([
      ["last_free_day_over", "critical", 1],
    ]);
    expect(kinds(evaluate({ lastFreeDay: "2026-06-11", pickupAppointmentAt, fullOutAt: now }))).toEqual([]);
  });

  test("shows the price of the day after a last free day that is still ahead, and no daily price of an exam", () => {
    const charge = { ...ruleCharge, status: "free", lastFreeDay: "2026-06-11", amountPerDay: "100.00" } as const;
    const fees = [{ type: "exam", amount: 385, currencyCode: "USD" }];
    const { found } = evaluate({ lastFreeDay: "2026-06-11", charges: [charge], fees });
    expect(found.map(exceptionSummary)).toEqual([
      "Exam fee: 385.00 USD",
      "Last free day is tomorrow, then 100.00 USD per day",
    ]);
    expect(found[0]?.details.perDay).toBeUndefined();
    const [today] = evaluate({ lastFreeDay: "2026-06-10", charges: [charge] }).found;
    expect(today && exceptionSummary(today)).toBe("Last free day is today, then 100.00 USD per day");
  });

  test("sums the prices per day of the charges that run; with reported demurrage, only that of demurrage", () => {
    const demurrage = { ...ruleCharge, status: "free", lastFreeDay: "2026-06-10", amountPerDay: "150.00" } as const;
    const perDiem = { ...demurrage, kind: "per_diem", lastFreeDay: "2026-06-16", amountPerDay: "80.00" } as const;
    const summaryOf = (changes: Partial<ContainerExceptionFacts>) =>
      evaluate({ lastFreeDay: "2026-06-10", charges: [demurrage, perDiem], ...changes }).found.map(exceptionSummary)[0];
    expect(summaryOf({})).toBe("Last free day is today, then 150.00 USD per day");
    const charged = [demurrage, perDiem].map((one) => ({ ...one, status: "charged", amount: "100.00" }) as const);
    const fees = [{ type: "demurrage", amount: 100, currencyCode: "USD" }];
    const over = { lastFreeDay: "2026-06-08", charges: charged };
    expect(summaryOf({ ...over, fees })).toBe("Last free day was 2 days ago, 100.00 USD so far");
    expect(summaryOf(over)).toBe("Last free day was 2 days ago, 200.00 USD so far, 230.00 USD per day");
  });

  test("demurrage so far is the total of each currency, per day its growth between two reports", () => {
    const demurrage = (amount: number) => [{ type: "demurrage", amount, currencyCode: "USD" }];
    const { found } = evaluate({
      lastFreeDay: "2026-06-07",
      fees: [...demurrage(450), { type: "other", amount: 9, currencyCode: "EUR" }],
      feeReports: [
        { at: instant("2026-06-08T10:00:00.000Z"), fees: demurrage(150) },
        { at: instant("2026-06-10T11:00:00.000Z"), fees: demurrage(450) },
      ],
    });
    expect(found.map(exceptionSummary)).toEqual([
      "Last free day was 3 days ago, 450.00 USD so far, 150.00 USD per day",
      "Other fees: 9.00 EUR",
    ]);
    expect(found.map(exceptionCause)).toEqual(["Last free day: 7 Jun 2026. Demurrage by the terminal.", null]);
  });

  test("demurrage and its price per day are by the terminal, or else by rules of the account", () => {
    const charge = { ...ruleCharge, amount: "300.00", amountPerDay: "120.50", currencyCode: "USD" };
    const texts = (changes: Partial<ContainerExceptionFacts>) =>
      evaluate({ lastFreeDay: "2026-06-07", charges: [charge], ...changes }).found.map((one) => [
        exceptionSummary(one),
        exceptionCause(one),
      ]);
    expect(texts({ fees: [{ type: "demurrage", amount: 450, currencyCode: "USD" }] })).toEqual([
      ["Last free day was 3 days ago, 450.00 USD so far", "Last free day: 7 Jun 2026. Demurrage by the terminal."],
    ]);
    expect(texts({ fees: [{ type: "demurrage", amount: 450, currencyCode: "EUR" }] })).toEqual([
      ["Last free day was 3 days ago, 450.00 EUR so far", "Last free day: 7 Jun 2026. Demurrage by the terminal."],
    ]);
    expect(texts({ fees: [{ type: "exam", amount: 50, currencyCode: "USD" }] })).toEqual([
      [
        "Last free day was 3 days ago, 300.00 USD so far, 120.50 USD per day",
        "Last free day: 7 Jun 2026. Demurrage by rules of the account.",
      ],
      ["Exam fee: 50.00 USD", null],
    ]);
  });

  test("adds charges by time to a last free day that has passed, and lists an exam and the rest of a total as fees", () => {
    const fee = (type: string, amount: number) => ({ type, amount, currencyCode: "USD" });
    const summaries = (...fees: ContainerExceptionFacts["fees"]) =>
      evaluate({ lastFreeDay: "2026-06-07", fees }).found.map(exceptionSummary);
    const over = "Last free day was 3 days ago";
    expect(summaries(fee("exam", 385))).toEqual([over, "Exam fee: 385.00 USD"]);
    expect(summaries(fee("exam", 385), fee("total", 385))).toEqual([over, "Exam fee: 385.00 USD"]);
    expect(summaries(fee("exam", 385), fee("total", 535))).toEqual([
      `${over}, 150.00 USD so far`,
      "Exam fee: 385.00 USD",
    ]);
    expect(summaries(fee("demurrage", 150), fee("extended_dwell_time", 20), fee("exam", 385))).toEqual([
      `${over}, 170.00 USD so far`,
      "Exam fee: 385.00 USD",
    ]);
    expect(summaries(fee("demurrage", 150), fee("total", 200))).toEqual([
      `${over}, 150.00 USD so far`,
      "Other fees: 50.00 USD",
    ]);
    expect(summaries(fee("total", 200))).toEqual([`${over}, 200.00 USD so far`]);
  });

  test("a reported total replaces its parts, and a fee of zero is none", () => {
    const fee = (type: string, amount: number) => ({ type, amount, currencyCode: "USD" });
    const summaries = (...fees: ContainerExceptionFacts["fees"]) => evaluate({ fees }).found.map(exceptionSummary);
    expect(summaries(fee("demurrage", 100), fee("total", 120))).toEqual(["Demurrage and other fees: 120.00 USD"]);
    expect(summaries(fee("demurrage", 0))).toEqual([]);
    expect(summaries(fee("demurrage", 2_850))).toEqual(["Demurrage: 2,850.00 USD"]);
  });

  test("a hold in force is an exception, by customs one of its own", () => {
    expect(evaluate({ holds: [{ name: "customs", status: "pending" }] }).found).toEqual([]);
    const { found } = evaluate({
      holds: [
        { name: "customs", status: "hold" },
        { name: "freight", status: "hold" },
      ],
    });
    expect(found.map(({ kind, details }) => [kind, details.holds])).toEqual([
      ["customs_hold", ["customs"]],
      ["hold", ["freight"]],
    ]);
  });

  test("once picked up only its return counts, and once returned nothing", () => {
    const over = { lastFreeDay: "2026-06-01", holds: [{ name: "customs", status: "hold" }] };
    const fullOutAt = instant("2026-06-05T11:00:00.000Z");
    expect(kinds(evaluate({ ...over, fullOutAt }))).toEqual([["not_returned", "warning", 5]]);
    const early = evaluate({ ...over, fullOutAt: instant("2026-06-06T13:00:00.000Z") });
    expect([early.found, early.nextCheckAt]).toEqual([[], "2026-06-11T07:00:00.000Z"]);
    expect(evaluate({ ...over, fullOutAt, emptyReturnedAt: now }).found).toEqual([]);
  });
});

describe("exceptions of a shipment", () => {
  test("a delay of two days counts until the arrival", () => {
    const estimatedArrivalAt = addMs(now, 5 * dayMs);
    const [late, punctual] = [addMs(now, 3 * dayMs), addMs(now, 4 * dayMs)];
    expect(kinds(evaluateShipmentWith({ estimatedArrivalAt, originalEtaAt: punctual }))).toEqual([]);
    expect(kinds(evaluateShipmentWith({ estimatedArrivalAt, originalEtaAt: late }))).toEqual([
      ["eta_delay", "warning", 2],
    ]);
    expect(kinds(evaluateShipmentWith({ estimatedArrivalAt, originalEtaAt: late, hasArrived: true }))).toEqual([]);
  });

  test("a delay grows while the later estimate is overdue; without one, the arrival is only overdue", () => {
    const estimatedArrivalAt = addMs(now, -3.2 * dayMs);
    const { found, nextCheckAt } = evaluateShipmentWith({
      estimatedArrivalAt,
      originalEtaAt: addMs(now, -5.9 * dayMs),
    });
    expect(found.map(exceptionSummary)).toEqual(["Arrival overdue for 3 days", "Arrival 6 days past the original ETA"]);
    expect(found.map(exceptionCause)).toEqual(
      Array(2).fill("The estimated arrival was 7 Jun 2026, and no arrival was reported."),
    );
    expect(nextCheckAt).toBe("2026-06-11T07:00:00.000Z");
    expect(kinds(evaluateShipmentWith({ estimatedArrivalAt, originalEtaAt: estimatedArrivalAt }))).toEqual([
      ["arrival_overdue", "warning", 3],
    ]);
  });

  test("containers that arrive separately are late each by its own ETA, with the cause of the last one", () => {
    const cause: EtaChangeCause = { kind: "containers_split", vessel: null };
    const arriving = (id: string, days: number, delayDays: number, hasArrived = false): ContainerExceptionFacts => ({
      ...container,
      id,
      ownArrival: {
        estimatedArrivalAt: addMs(now, days * dayMs),
        originalEtaAt: addMs(now, (days - delayDays) * dayMs),
        hasArrived,
      },
    });
    const { found } = evaluateShipmentWith({
      estimatedArrivalAt: addMs(now, 9 * dayMs),
      originalEtaAt: now,
      etaChangeCause: cause,
      containers: [
        arriving("last", 9, 9),
        arriving("late", 4, 3),
        arriving("punctual", 1, 0),
        arriving("in", 1, 4, true),
      ],
    });
    expect(found.map((one) => [one.kind, one.containerId, one.details.days, one.details.etaChangeCause])).toEqual([
      ["eta_delay", "last", 9, cause],
      ["eta_delay", "late", 3, undefined],
    ]);
  });

  test("a list says why a container is late, without the ETA that it has beside it", () => {
    const place = { locode: "SGSIN", name: "Singapore" };
    const reasons: readonly DelayException[] = [
      { kind: "rollover", details: { place, nextVoyage: null } },
      { kind: "arrival_overdue", details: { days: 3, estimatedArrivalDate: "2026-06-07" } },
      { kind: "eta_delay", details: { days: 3, etaChangeCause: { kind: "source_revision", source: "shipping_line" } } },
      { kind: "eta_delay", details: { days: 3, estimatedArrivalDate: "2026-06-19" } },
    ];
    expect(reasons.map(delayReasonText)).toEqual([
      "Rolled over in Singapore. No other vessel is planned yet.",
      "The estimated arrival was 7 Jun 2026, and no arrival was reported.",
      "Revised by the shipping line; no other report shows a cause.",
      "The carrier reported a later ETA; no report shows a cause.",
    ]);
  });

  test("another port of discharge counts until the arrival", () => {
    const portOfDischargeChange = {
      previousPlace: { locode: "BEANR", name: "Antwerp" },
      place: { locode: "NLRTM", name: "Rotterdam" },
    };
    const estimatedArrivalAt = addMs(now, 5 * dayMs);
    const { found } = evaluateShipmentWith({
      portOfDischargeChange,
      estimatedArrivalAt,
      arrivalTimeZone: "Europe/Amsterdam",
    });
    expect(found.map((one) => [one.severity, exceptionSummary(one), exceptionCause(one)])).toEqual([
      [
        "critical",
        "Port of discharge changed to Rotterdam",
        "The carrier first reported Antwerp. The arrival in Rotterdam is estimated for 15 Jun 2026.",
      ],
    ]);
    expect(evaluateShipmentWith({ portOfDischargeChange }).found.map(exceptionCause)).toEqual([
      "The carrier first reported Antwerp.",
    ]);
    expect(kinds(evaluateShipmentWith({ portOfDischargeChange, estimatedArrivalAt, hasArrived: true }))).toEqual([]);
    expect(kinds(evaluateShipmentWith({ portOfDischargeChange, stoppedAt: now }))).toEqual([]);
  });

  test("an arrival is overdue a day after its estimate", () => {
    const at = (hours: number) => evaluateShipmentWith({ estimatedArrivalAt: addMs(now, -hours * hourMs) });
    const early = at(23);
    expect([early.found, early.nextCheckAt]).toEqual([[], addMs(now, hourMs)]);
    expect(kinds(at(25))).toEqual([["arrival_overdue", "warning", 1]]);
  });

  test("charges go on after tracking stopped without further reports, until the pickup", () => {
    const fees = [{ type: "demurrage", amount: 450, currencyCode: "USD" }];
    const charged = { ...container, lastFreeDay: "2026-06-01", holds: [{ name: "customs", status: "hold" }], fees };
    const facts = {
      containers: [charged],
      hasArrived: true,
      estimatedArrivalAt: addMs(now, -9 * dayMs),
      originalEtaAt: addMs(now, -18 * dayMs),
    };
    for (const stoppedReason of ["past_arrival_window", "no_updates_at_line"] as const) {
      const { found, nextCheckAt } = evaluateShipmentWith({ ...facts, stoppedAt: now, stoppedReason });
      expect(found.map(({ kind }) => kind)).toEqual(["last_free_day_over"]);
      expect(nextCheckAt).toBe("2026-06-11T07:00:00.000Z");
      expect(found.map(exceptionCause)).toEqual([
        "Last free day: 1 Jun 2026. Demurrage by the terminal. Tracking stopped on 10 Jun 2026: the amount is as of that day.",
      ]);
      const feeReports = [300, 450].map((amount, index) => ({
        at: addMs(now, (index - 2) * dayMs),
        fees: [{ type: "demurrage", amount, currencyCode: "USD" }],
      }));
      const growing = { ...charged, feeReports };
      const [open] = evaluateShipmentWith({ ...facts, containers: [growing] }).found;
      const [stopped] = evaluateShipmentWith({ ...facts, containers: [growing], stoppedAt: now, stoppedReason }).found;
      expect([open?.details.perDay?.amount, stopped?.details.perDay]).toEqual([150, undefined]);
      const ruled = { ...container, charges: [{ ...ruleCharge, status: "stopped" as const, amount: "300.00" }] };
      const byRule = evaluateShipmentWith({ ...facts, containers: [ruled], stoppedAt: now, stoppedReason });
      expect(byRule.found.map(exceptionSummary)).toEqual([
        "Last free day was 3 days ago, 300.00 USD as of 10 Jun 2026",
      ]);
      for (const ended of [{ fees: [] }, { fullOutAt: now }, { emptyReturnedAt: now }, { lastFreeDay: "2026-06-20" }]) {
        const containers = [{ ...charged, ...ended }];
        expect(evaluateShipmentWith({ ...facts, containers, stoppedAt: now, stoppedReason }).found).toEqual([]);
      }
    }
    for (const stoppedReason of ["cancelled_by_user", "all_containers_terminated", "booking_cancelled"] as const) {
      expect(evaluateShipmentWith({ ...facts, stoppedAt: now, stoppedReason })).toEqual({
        found: [],
        nextCheckAt: null,
      });
    }
  });

  test("the most urgent comes first", () => {
    const originalEtaAt = addMs(now, -12 * dayMs);
    const facts = { containers: [{ ...container, lastFreeDay: "2026-06-09" }], originalEtaAt };
    const { found } = evaluateShipmentWith({ ...facts, estimatedArrivalAt: addMs(now, -3 * dayMs) });
    expect(found.map(({ kind }) => kind)).toEqual(["last_free_day_over", "arrival_overdue", "eta_delay"]);
  });
});
