import { describe, expect, test } from "@jest/globals";
import { dayMs, hourMs } from "@svc/domain";
import { isValidContainerNumber } from "@svc/domain/identifiers";
import fc from "fast-check";
import { DcsaEvent } from "../dcsa/event-schema.ts";
import { readBillOfLading } from "../shipment-number.ts";
import { type Fact, publishedFactsAt } from "../voyage/fact.ts";
import { createShipment } from "../voyage/shipment.ts";
import { findScenario, scenarios } from "./catalogue.ts";

const bookedAt = Date.parse("2026-03-10T08:30:00.000Z");

function timelineOf(number: string) {
  const read = readBillOfLading(number);
  const found = read && findScenario(read.scenario);
  if (!read || !found) throw new Error(`${number} is not a documented number`);
  const shipment = createShipment(read, bookedAt, found.index, found.scenario.containerCount);
  return { shipment, facts: found.scenario.timeline(shipment) };
}

function codeOf({ event }: Fact): string {
  if (event.eventType === "TRANSPORT") return event.transportEventTypeCode;
  return event.eventType === "EQUIPMENT" ? event.equipmentEventTypeCode : event.shipmentEventTypeCode;
}

function actual(facts: readonly Fact[], code: string): readonly Fact[] {
  return facts.filter((fact) => fact.event.eventClassifierCode === "ACT" && codeOf(fact) === code);
}

function callOf({ event }: Fact) {
  return event.eventType === "SHIPMENT" ? undefined : event.transportCall;
}

const seeds = [0, 1, 7, 1234, 999_999];
const numbers = scenarios.flatMap(({ code }) => seeds.map((seed) => `SBX${code}${String(seed).padStart(6, "0")}`));

describe.each(scenarios.map((scenario) => [scenario.code, scenario] as const))("scenario %s", (code, scenario) => {
  const own = numbers.filter((number) => number.startsWith(`SBX${code}`));

  test.each(own)(
    "%s: every event is valid DCSA 2.2, has a unique id, and is not published before it happens",
    (number) => {
      const { facts, shipment } = timelineOf(number);
      for (const fact of facts) {
        const event = scenario.writesIncompleteTimes
          ? { ...fact.event, eventDateTime: "2026-01-01T00:00:00Z" }
          : fact.event;
        expect(DcsaEvent.safeParse(event).error?.issues ?? []).toEqual([]);
        if (event.eventClassifierCode === "ACT") expect(fact.at).toBeLessThanOrEqual(fact.publishedAt);
      }
      expect(new Set(facts.map((fact) => fact.event.eventID)).size).toBe(facts.length);
      for (const container of shipment.containers) expect(isValidContainerNumber(container.number)).toBe(true);
    },
  );

  test("the same number and booking always give the same timeline", () => {
    for (const number of own) expect(timelineOf(number).facts).toEqual(timelineOf(number).facts);
  });

  test(scenario.withdraws ? "withdraws events only when declared" : "only adds events", () => {
    const at = fc.integer({ min: -2 * dayMs, max: 60 * dayMs });
    fc.assert(
      fc.property(fc.constantFrom(...own), at, at, (number, one, other) => {
        const { facts } = timelineOf(number);
        const [earlier, later] = [Math.min(one, other), Math.max(one, other)].map((ms) =>
          publishedFactsAt(facts, bookedAt + ms),
        );
        const remaining = new Set(later);
        const withdrawn = (earlier ?? []).filter((fact) => !remaining.has(fact));
        for (const fact of withdrawn) expect(fact.withdrawnAt).toBeLessThanOrEqual(bookedAt + Math.max(one, other));
        if (!scenario.withdraws) expect(withdrawn).toEqual([]);
      }),
      { numRuns: 40 },
    );
    expect(own.some((number) => timelineOf(number).facts.some((fact) => fact.withdrawnAt !== null))).toBe(
      scenario.withdraws ?? false,
    );
  });
});

test("shipments with a seed below 10,000 share no container", () => {
  const containerCount = scenarios.flatMap(({ code, containerCount: count }) =>
    count !== undefined && count > 4
      ? []
      : [0, 1, 9_999].flatMap((seed) =>
          timelineOf(`SBX${code}${String(seed).padStart(6, "0")}`).shipment.containers.map((each) => each.number),
        ),
  );
  expect(new Set(containerCount).size).toBe(containerCount.length);
});

describe("the direct voyage", () => {
  test.each(seeds)("seed %i: publishes events at the documented pace", (seed) => {
    const { facts, shipment } = timelineOf(`SBXDIR${String(seed).padStart(6, "0")}`);
    const published = publishedFactsAt(facts, bookedAt);
    expect(actual(published, "GTOT")).toHaveLength(shipment.containers.length);
    expect(published.some((fact) => fact.event.eventClassifierCode === "PLN" && codeOf(fact) === "ARRI")).toBe(true);
    for (const fact of actual(facts, "GTIN").slice(0, shipment.containers.length)) {
      expect(fact.publishedAt - bookedAt).toBeGreaterThanOrEqual(10 * hourMs);
      expect(fact.publishedAt - bookedAt).toBeLessThanOrEqual(14 * hourMs);
    }
    for (const fact of [...actual(facts, "LOAD"), ...actual(facts, "DEPA")]) {
      expect(fact.publishedAt - bookedAt).toBeLessThanOrEqual(1.5 * dayMs);
    }
    const end = Math.max(...facts.map((fact) => fact.publishedAt)) - bookedAt;
    expect(end).toBeGreaterThan(20 * dayMs);
    expect(end).toBeLessThan(31 * dayMs);
  });
});

describe("the scenarios", () => {
  const number = (code: string) => `SBX${code}000042`;

  test("TSP: the missed vessel never departs, another one arrives", () => {
    const { facts } = timelineOf(number("TSP"));
    const vessels = new Set(facts.map((fact) => callOf(fact)?.vessel?.vesselIMONumber).filter(Boolean));
    expect(vessels.size).toBe(3);
    expect(actual(facts, "DEPA")).toHaveLength(2);
  });

  test("TS2: one barge and three vessels", () => {
    const { facts } = timelineOf(number("TS2"));
    expect(actual(facts, "ARRI").map((fact) => callOf(fact)?.modeOfTransport)).toEqual([
      "BARGE",
      "VESSEL",
      "VESSEL",
      "VESSEL",
    ]);
  });

  test("RAI: the last arrival is by rail at a ramp", () => {
    const last = actual(timelineOf(number("RAI")).facts, "ARRI").at(-1);
    expect(last && callOf(last)).toMatchObject({ modeOfTransport: "RAIL", facilityTypeCode: "RAMP" });
  });

  test("RAI: the estimated arrival at the ramp changes by more than an hour, hours before it", () => {
    for (let seed = 0; seed < 500; seed++) {
      const { facts } = timelineOf(`SBXRAI${String(seed).padStart(6, "0")}`);
      const arrivals = facts.filter((fact) => codeOf(fact) === "ARRI" && callOf(fact)?.modeOfTransport === "RAIL");
      const eventsBy = (classifier: string) =>
        arrivals.filter(({ event }) => event.eventClassifierCode === classifier).toSorted((a, b) => a.at - b.at);
      const planned = eventsBy("PLN")[0];
      const arrived = eventsBy("ACT")[0];
      const last = eventsBy("EST")
        .toSorted((a, b) => a.publishedAt - b.publishedAt)
        .at(-1);
      if (!planned || !arrived || !last) throw new Error(`seed ${seed} has no plan, estimate or arrival`);
      expect([seed, Math.abs(last.at - planned.at) > hourMs]).toEqual([seed, true]);
      expect([seed, arrived.publishedAt - last.publishedAt > 6 * hourMs]).toEqual([seed, true]);
    }
  });

  test("COR: the corrected arrival is seven hours earlier than the first one", () => {
    const { facts } = timelineOf(number("COR"));
    const [first, second] = actual(facts, "ARRI");
    expect((first?.at ?? 0) - (second?.at ?? 0)).toBe(7 * hourMs);
    expect(first?.withdrawnAt).toBe(second?.publishedAt);
  });

  test("DLY: 25 estimates, nine days late", () => {
    const { facts } = timelineOf(number("DLY"));
    const arrivals = facts.filter((fact) => codeOf(fact) === "ARRI");
    const planned = arrivals.find((fact) => fact.event.eventClassifierCode === "PLN");
    expect(arrivals.filter((fact) => fact.event.eventClassifierCode === "EST")).toHaveLength(25);
    expect((actual(facts, "ARRI")[0]?.at ?? 0) - (planned?.at ?? 0)).toBe(9 * dayMs);
  });

  test("OMT: no arrival at the planned port", () => {
    const { facts } = timelineOf(number("OMT"));
    const planned = facts.find((fact) => fact.event.eventClassifierCode === "PLN" && codeOf(fact) === "ARRI");
    const arrived = actual(facts, "ARRI");
    expect(arrived).toHaveLength(1);
    expect(callOf(arrived[0] as Fact)?.UNLocationCode).not.toBe(planned && callOf(planned)?.UNLocationCode);
    expect(publishedFactsAt(facts, bookedAt + 60 * dayMs).filter((fact) => codeOf(fact) === "ARRI")).not.toContain(
      planned,
    );
  });

  test("CAN: the booking is void and no container is loaded", () => {
    const { facts } = timelineOf(number("CAN"));
    expect(actual(facts, "VOID")).toHaveLength(1);
    expect(actual(facts, "LOAD")).toEqual([]);
  });

  test("OOO: the same actuals as the direct voyage with other publication times", () => {
    const { facts } = timelineOf(number("OOO"));
    const loaded = actual(facts, "LOAD")[0]?.publishedAt ?? 0;
    expect(facts.some((fact) => fact.publishedAt - Date.parse(fact.event.eventCreatedDateTime) > dayMs)).toBe(true);
    expect(loaded).toBeGreaterThan(0);
  });

  test("PAG: more than 450 events", () => {
    expect(timelineOf(number("PAG")).facts.length).toBeGreaterThan(450);
  });

  test("REU: the second shipment has only events of the reused container", () => {
    const { facts, shipment } = timelineOf(number("REU"));
    const foreign = facts.filter((fact) => fact.billOfLading !== shipment.billOfLading);
    expect(foreign.length).toBeGreaterThan(10);
    const container = shipment.containers[0].number;
    expect(foreign.every((fact) => fact.containers.length === 0 || fact.containers.includes(container))).toBe(true);
  });
});
