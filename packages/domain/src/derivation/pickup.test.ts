import { describe, expect, test } from "@jest/globals";
import type { Observation, PickupReport } from "../observations/observation.ts";
import { deriveShipment } from "./derive-shipment.ts";
import { planTrackingChanges } from "./plan-tracking-changes.ts";
import { applyChanges } from "./testing/apply-changes.ts";
import { container, derive, events, status } from "./testing/read-derived.ts";
import { day, fact, pickupFact, reportedAgain, testPlaces, until } from "./testing/voyage.ts";
import { directVoyage, mainContainer, railVoyage } from "./testing/voyages.ts";

/** The direct voyage is discharged at Rotterdam on day 32.5 and gated out on day 35. */
const ashore = until(33, directVoyage());
const at = (onDay: number, pickup: PickupReport, place = "NLRTM"): Observation =>
  pickupFact(pickup, { at: place, day: onDay, container: mainContainer });
const available = (onDay: number, isAvailable: boolean, place?: string) =>
  at(onDay, { aspect: "availability", isAvailable }, place);
const customs = { name: "customs", status: "hold", description: null } as const;
const holds = (onDay: number, ...list: (typeof customs)[]) => at(onDay, { aspect: "holds", holds: list });
const lastFreeDay = (onDay: number, setBy: "line" | "terminal" | "rail", lastDay: number | null) =>
  at(onDay, { aspect: "last_free_day", setBy, lastFreeDayAt: lastDay === null ? null : day(lastDay) });

describe("availability", () => {
  test("is the last report of the terminal at the port of discharge", () => {
    const observations = [...ashore, available(32, false), available(33.5, true)];
    expect(container(observations)).toMatchObject({
      availabilityKnown: true,
      availableForPickup: true,
      currentStatus: "available",
    });
    expect(status([...observations, available(34, false)])).toBe("not_available");
    expect(container(ashore).availabilityKnown).toBeUndefined();
  });

  test("ignores reports of another place", () => {
    expect(container([...ashore, available(33, true, "SGSIN")]).availableForPickup).toBeUndefined();
  });

  test('"not available" does not change the status of a container at sea', () => {
    expect(status([...until(20, directVoyage()), available(19, false)])).toBe("on_ship");
  });

  test("ends with the full gate-out", () => {
    const all = [...directVoyage(), available(33, true)];
    expect(container(all)).toMatchObject({ availableForPickup: false, currentStatus: "empty_returned" });
  });

  test('each change is a milestone; the initial "not available" is none', () => {
    const observations = [
      ...ashore,
      available(32, false),
      available(33, true),
      available(33.2, true),
      available(33.5, false),
      available(34, true),
    ];
    expect(events(observations, "available").map(({ occurredAt }) => occurredAt)).toEqual([day(33), day(34)]);
    expect(events(observations, "not_available").map(({ occurredAt }) => occurredAt)).toEqual([day(33.5)]);
  });

  test("has one milestone where a terminal changed its report of one time twice", () => {
    const reports = [true, false, true].map((isAvailable, hours) =>
      pickupFact({ aspect: "availability", isAvailable }, { at: "NLRTM", day: 33, reported: 33 + hours / 24 }),
    );
    const observations = [...ashore, ...reports];
    expect(events(observations, "available").map(({ occurredAt }) => occurredAt)).toEqual([day(33)]);
    expect(events(observations, "not_available")).toEqual([]);
  });

  test("inland it is the report of the inland terminal", () => {
    const inland = until(22.9, railVoyage());
    expect(container([...inland, available(23, true, "USCHI")]).availableForPickup).toBe(true);
    expect(container([...inland, available(23, true, "USLGB")]).availableForPickup).toBeUndefined();
  });
});

describe("holds", () => {
  const document = (code: "HOLD" | "RELS", onDay: number): Observation => ({
    ...fact(`ACT ${code}`, { at: "NLRTM", day: onDay, container: mainContainer }),
    eventType: "SHIPMENT",
    documentType: "CUS",
    documentId: "CUS1",
    reason: "Selected for inspection",
  });

  test("are those of the terminal's last report", () => {
    expect(container([...ashore, holds(33, customs)]).holdsAtPodTerminal).toEqual([customs]);
    expect(container([...ashore, holds(33, customs), holds(34)]).holdsAtPodTerminal).toEqual([]);
  });

  test("follow from the carrier's documents where no terminal reports", () => {
    const onHold = [...ashore, document("HOLD", 33)];
    expect(container(onHold).holdsAtPodTerminal).toEqual([{ ...customs, description: "Selected for inspection" }]);
    expect(container([...onHold, document("RELS", 34)]).holdsAtPodTerminal).toEqual([]);
    expect(container([...onHold, holds(32)]).holdsAtPodTerminal).toEqual([]);
  });
});

describe("last free days", () => {
  test("are separate, and the line's takes precedence over the terminal's over the railway's", () => {
    const rail = [...ashore, lastFreeDay(33, "rail", 40)];
    const terminal = [...rail, lastFreeDay(33, "terminal", 37)];
    const line = [...terminal, lastFreeDay(33, "line", 38)];
    expect(container(rail).pickupLfd).toBe(day(40));
    expect(container(terminal).pickupLfd).toBe(day(37));
    expect(container(line)).toMatchObject({ pickupLfd: day(38), pickupLfdTerminal: day(37), pickupLfdRail: day(40) });
    expect(container([...line, lastFreeDay(34, "line", null)]).pickupLfd).toBe(day(37));
  });
});

describe("the gate", () => {
  test("a terminal takes precedence over the line, however late the line reports", () => {
    const line = fact("ACT GTOT", { at: "NLRTM", day: 35, container: mainContainer, empty: false });
    const terminal = {
      ...reportedAgain(line, { eventAt: day(34.9), statedAt: day(34.9) }),
      dataSource: "terminal" as const,
      chassisNumber: "CHAS1",
    };
    const corrected = reportedAgain(line, { eventAt: day(35.1), statedAt: day(40) });
    expect(container([...ashore, line, terminal, corrected])).toMatchObject({
      podFullOutAt: day(34.9),
      podFullOutChassisNumber: "CHAS1",
    });
  });

  test("the terminal's report of a berthed vessel is a milestone", () => {
    const berth = {
      ...pickupFact(
        { aspect: "yard_location", yardLocation: null },
        { at: "NLRTM", day: 32.2, container: mainContainer },
      ),
      code: "BERTH",
    };
    const { pickup: _, ...berthed } = berth;
    expect(events([...ashore, berthed], "vessel_berthed")).toMatchObject([
      { occurredAt: day(32.2), vessel: { imo: "2000016" } },
    ]);
  });
});

describe("notifications of pickup changes", () => {
  const announced = (before: readonly Observation[], after: readonly Observation[]) => {
    const stored = applyChanges(null, planTrackingChanges(null, derive(before)));
    return planTrackingChanges(stored, derive(after)).announcements.filter(({ kind }) => kind !== "milestone");
  };

  test("emits one update with all changes of a container, and a separate event for each deadline", () => {
    const before = [...ashore, available(32, false), holds(32), lastFreeDay(33, "terminal", 37)];
    const after = [...before, available(33, true), holds(33, customs), lastFreeDay(34, "terminal", 38)];
    expect(announced(before, after)).toEqual([
      { kind: "pickup_change", containerNumber: mainContainer, event: "pickup_lfd.changed", value: day(38) },
      { kind: "pickup_change", containerNumber: mainContainer, event: "pickup_lfd_terminal.changed", value: day(38) },
      {
        kind: "container_updated",
        containerNumber: mainContainer,
        changeset: {
          availableForPickup: [false, true],
          holdsAtPodTerminal: [[], [customs]],
          pickupLfd: [day(37), day(38)],
        },
      },
    ]);
  });

  test("emits only the separate event of the terminal's last free day while the line's is effective", () => {
    const before = [...ashore, lastFreeDay(33, "line", 39), lastFreeDay(33, "terminal", 37)];
    expect(announced(before, [...before, lastFreeDay(34, "terminal", 38)])).toEqual([
      { kind: "pickup_change", containerNumber: mainContainer, event: "pickup_lfd_terminal.changed", value: day(38) },
    ]);
  });

  test("emits no event when the terminal first reports empty values or repeats its report", () => {
    const before = [...ashore, lastFreeDay(33, "terminal", 37)];
    expect(announced(before, [...before, holds(33), lastFreeDay(34, "terminal", 37)])).toEqual([]);
  });
});

test("a place that is not in the directory is inland if only trains call there", () => {
  const unknown = { ...testPlaces, kindOf: () => null };
  expect(testPlaces.kindOf("USCHI")).toBe("metro_area");
  const renamed = railVoyage().map((one) => ({
    ...one,
    place: { ...one.place, locode: one.place.locode === "USCHI" ? "USXXX" : one.place.locode },
  }));
  expect(deriveShipmentAt(renamed, unknown)).toMatchObject({ locode: "USXXX", kind: "metro_area" });
});

function deriveShipmentAt(observations: readonly Observation[], places: typeof testPlaces) {
  return deriveShipment(observations, places).attributes.destination?.value;
}
