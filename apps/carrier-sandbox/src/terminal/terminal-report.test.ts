import { describe, expect, test } from "@jest/globals";
import { dayMs, hourMs } from "@svc/domain";
import type { Voyage } from "../sandbox-carrier.ts";
import { findScenario, scenarios } from "../scenarios/catalogue.ts";
import { readBillOfLading, type ShipmentNumber } from "../shipment-number.ts";
import { sortByPublication } from "../voyage/fact.ts";
import { createShipment } from "../voyage/shipment.ts";
import { terminalReport } from "./terminal-report.ts";

const bookedAt = Date.UTC(2026, 0, 1);

function voyageOf(code: string): Voyage {
  const found = findScenario(code);
  const number = readBillOfLading(`SBX${code}000001`);
  if (found === undefined || number === null) throw new Error(`no scenario ${code}`);
  const shipment = createShipment(
    number satisfies ShipmentNumber,
    bookedAt,
    found.index,
    found.scenario.containerCount,
  );
  return { shipment, scenario: found.scenario, facts: sortByPublication(found.scenario.timeline(shipment)) };
}

interface Part {
  readonly since?: string;
}
type Visit = Readonly<Record<string, Part | undefined>>;

/** The visits that are reported every six hours for a hundred days. */
function reports(code: string): { now: number; visits: readonly Visit[] }[] {
  const voyage = voyageOf(code);
  return Array.from({ length: 400 }, (_, step) => bookedAt + step * 6 * hourMs).flatMap((now) => {
    const report = terminalReport(voyage, voyage.shipment.containers[0], now) as { visits: readonly Visit[] } | null;
    return report === null ? [] : [{ now, visits: report.visits }];
  });
}

describe("terminalReport", () => {
  test.each(scenarios.map(({ code }) => code))(
    "%s: reports no change early and never moves a change back in time",
    (code) => {
      const latest = new Map<string, string>();
      for (const { now, visits } of reports(code)) {
        for (const [index, visit] of visits.entries()) {
          for (const [name, part] of Object.entries(visit)) {
            if (part?.since === undefined) continue;
            expect(Date.parse(part.since)).toBeLessThanOrEqual(now);
            const key = `${visits.length} ${index} ${name}`;
            expect(part.since >= (latest.get(key) ?? "")).toBe(true);
            latest.set(key, part.since);
          }
        }
      }
    },
  );

  test("lists a container less than a day before its vessel arrives, with one gate-out", () => {
    const all = reports("DIR");
    const gates = all.map(({ visits }) => ((visits[0]?.gateMoves ?? []) as readonly object[]).length);
    expect(new Set(gates)).toEqual(new Set([0, 1]));
    const arrival = voyageOf("DIR").facts.find(
      ({ event }) =>
        event.eventType === "TRANSPORT" &&
        event.transportEventTypeCode === "ARRI" &&
        event.eventClassifierCode === "ACT",
    );
    expect((arrival?.at ?? 0) - (all[0]?.now ?? 0)).toBeLessThan(dayMs);
  });

  test.each(["CAN", "SIL", "NFD"])("lists no container of %s", (code) => {
    expect(reports(code)).toEqual([]);
  });

  test("reports availability at the inland terminal when the container goes there by rail", () => {
    const last = reports("RAI").at(-1);
    expect(last?.visits.map(({ availability }) => availability !== undefined)).toEqual([false, true]);
  });
});
