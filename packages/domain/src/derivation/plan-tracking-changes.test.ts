import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, hourMs, minuteMs } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";
import { planTrackingChanges } from "./plan-tracking-changes.ts";
import { applyChanges } from "./testing/apply-changes.ts";
import { anyHistory, anyObservation } from "./testing/arbitrary-observations.ts";
import { derive, find } from "./testing/read-derived.ts";
import { day, fact, reportedAgain, until } from "./testing/voyage.ts";
import { directVoyage, mainContainer, otherContainer, railVoyage, transshippedVoyage } from "./testing/voyages.ts";
import type { Announcement, StoredShipment, TrackingChanges } from "./tracking-changes.ts";

const nothing: TrackingChanges = { shipment: [], containers: [], announcements: [], notifiedEstimates: [] };

const stored = (observations: readonly Observation[]): StoredShipment =>
  applyChanges(null, planTrackingChanges(null, derive(observations)));

/** The changes by new observations of a shipment whose other observations are stored. */
const changes = (known: readonly Observation[], ...added: readonly Observation[]) =>
  planTrackingChanges(stored(known), derive([...known, ...added]));

/** Returns an announcement as text: `milestone vessel_loaded SBXU0000019`. */
function summarize(announcement: Announcement): string {
  const parts = [
    announcement.kind,
    "event" in announcement ? announcement.event : "",
    "estimatedAt" in announcement ? announcement.estimatedAt.slice(0, 10) : "",
    "containerNumber" in announcement ? announcement.containerNumber : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

const announced = (known: readonly Observation[], ...added: readonly Observation[]) =>
  changes(known, ...added).announcements.map(summarize);

describe("a new shipment", () => {
  const voyage = [...directVoyage(mainContainer), ...directVoyage(otherContainer)];

  test("is written with all its past events, but only the containers are notified", () => {
    const plan = planTrackingChanges(null, derive(voyage));
    expect(plan.containers.map(({ number, containerId, added }) => [number, containerId, added.length])).toEqual([
      [mainContainer, null, 8],
      [otherContainer, null, 8],
    ]);
    expect(plan.announcements.map(summarize)).toEqual([
      `container_created ${mainContainer}`,
      `container_created ${otherContainer}`,
    ]);
    expect(plan.shipment.map(({ field }) => field)).toContain("podEtaAt");
  });

  test("without observations gives no change", () => {
    expect(planTrackingChanges(null, derive([]))).toEqual(nothing);
  });
});

describe("planning again after applying", () => {
  test("gives no change for any history", () => {
    fc.assert(
      fc.property(anyHistory, fc.array(anyObservation, { maxLength: 10 }), (history, added) => {
        const before = stored(history);
        const derived = derive([...history, ...added]);
        const after = applyChanges(before, planTrackingChanges(before, derived));
        expect(planTrackingChanges(after, derived)).toEqual(nothing);
      }),
      { numRuns: 200 },
    );
  });

  test("step by step leads to the same state as at once", () => {
    fc.assert(
      fc.property(anyHistory, fc.integer({ min: -10, max: 45 }), (history, lastDay) => {
        const earlier = stored(until(lastDay, history));
        const inSteps = applyChanges(earlier, planTrackingChanges(earlier, derive(history)));
        const atOnce = stored(history);
        expect(inSteps.facts).toEqual(atOnce.facts);
        for (const one of atOnce.containers) {
          const other = inSteps.containers.find(({ number }) => number === one.number);
          expect(other?.facts).toEqual(one.facts);
          const keys = (container: typeof one | undefined) =>
            container?.milestones.map(({ milestoneKey, occurredAt }) => `${milestoneKey} ${occurredAt}`).toSorted();
          expect(keys(other)).toEqual(keys(one));
        }
      }),
      { numRuns: 200 },
    );
  });

  test("stored values may have their keys in another order", () => {
    const voyage = directVoyage();
    const { facts, notifiedEstimates, containers } = stored(voyage);
    const reordered = (value: unknown): unknown =>
      typeof value !== "object" || value === null ? value : Object.fromEntries(Object.entries(value).toReversed());
    const asJsonb = Object.fromEntries(Object.entries(facts).map(([field, value]) => [field, reordered(value)]));
    expect(planTrackingChanges({ facts: asJsonb, notifiedEstimates, containers }, derive(voyage))).toEqual(nothing);
  });
});

describe("milestones", () => {
  const voyage = directVoyage();

  test("are notified for each container, in journey order", () => {
    const both = [...directVoyage(mainContainer), ...directVoyage(otherContainer)];
    const known = until(0.3, both);
    const added = until(1.5, both).filter((one) => !known.includes(one));
    expect(announced(known, ...added)).toEqual([
      `milestone vessel_loaded ${mainContainer}`,
      `milestone vessel_loaded ${otherContainer}`,
      `milestone vessel_departed ${mainContainer}`,
      `milestone vessel_departed ${otherContainer}`,
    ]);
  });

  test("the same event under another id changes nothing", () => {
    for (const one of voyage) {
      const again = reportedAgain(one, { statedAt: one.statedAt, observedAt: addMs(one.observedAt, minuteMs) });
      expect(changes(voyage, again)).toEqual(nothing);
    }
  });

  test("a corrected time replaces the version and is notified under the same name", () => {
    const arrival = find(voyage, "ACT ARRI", "NLRTM");
    const correctedAt = addMs(arrival.eventAt, -7 * hourMs);
    const plan = changes(voyage, reportedAgain(arrival, { eventAt: correctedAt }));
    expect(plan.containers).toHaveLength(1);
    expect(plan.containers[0]).toMatchObject({
      added: [],
      withdrawn: [],
      corrected: [{ previousId: `vessel_arrived of ${arrival.id}`, event: { occurredAt: correctedAt } }],
      fields: [{ field: "podArrivedAt", before: arrival.eventAt, after: { value: correctedAt } }],
    });
    expect(plan.announcements.map(summarize)).toEqual([`milestone vessel_arrived ${mainContainer}`]);
  });

  test("a milestone without observations is withdrawn with the attributes derived from it", () => {
    const known = until(33, voyage);
    const discharge = find(voyage, "ACT DISC", "NLRTM");
    const plan = changes(known, { ...discharge, id: "vanished", retracted: true, observedAt: day(34) });
    expect(plan.containers[0]).toMatchObject({
      added: [],
      corrected: [],
      withdrawn: [{ id: `vessel_discharged of ${discharge.id}`, reason: "withdrawn" }],
      fields: [
        { field: "currentStatus", before: "grounded", after: { value: "on_ship" } },
        { field: "podDischargedAt", before: discharge.eventAt, after: null },
      ],
    });
    expect(plan.announcements.filter(({ kind }) => kind === "milestone")).toEqual([]);
  });

  test("an earlier milestone that arrives late is notified and does not move the status back", () => {
    const late = find(voyage, "ACT GTIN", "CNSHA");
    const known = until(33, voyage).filter((one) => one !== late);
    const plan = changes(known, late);
    expect(plan.announcements.map(summarize)).toEqual([`milestone full_in ${mainContainer}`]);
    expect(plan.containers[0]?.fields.map(({ field }) => field)).toEqual(["polFullInAt", "sealNumber"]);
  });

  test("a presumed port of discharge becomes a transshipment", () => {
    const actuals = transshippedVoyage().filter(({ classifier }) => classifier === "ACT");
    const known = until(8.7, actuals);
    const loading = find(actuals, "ACT LOAD", "SGSIN");
    const plan = changes(known, loading);
    expect(plan.containers[0]?.withdrawn).toHaveLength(2);
    expect(plan.announcements.map(summarize)).toEqual([
      `milestone transshipment_arrived ${mainContainer}`,
      `milestone transshipment_discharged ${mainContainer}`,
      `milestone transshipment_loaded ${mainContainer}`,
    ]);
  });
});

describe("containers", () => {
  test("a container added later is notified with its milestones", () => {
    const known = until(-1, directVoyage(mainContainer));
    const added = until(-1, directVoyage(otherContainer)).filter(
      ({ containerNumber }) => containerNumber === otherContainer,
    );
    expect(announced(known, ...added)).toEqual([
      `container_created ${otherContainer}`,
      `milestone empty_out ${otherContainer}`,
      `milestone full_in ${otherContainer}`,
    ]);
  });

  test("a container that no observation names any more is cleared and never deleted", () => {
    const known = directVoyage();
    const current = stored(known);
    const withoutContainer = known.filter(({ containerNumber }) => containerNumber === null);
    const [change] = planTrackingChanges(current, derive(withoutContainer)).containers;
    expect(change).toMatchObject({
      number: mainContainer,
      containerId: `container ${mainContainer}`,
      added: [],
      corrected: [],
    });
    expect(change?.withdrawn).toHaveLength(8);
    expect(change?.fields.filter(({ after }) => after !== null)).toEqual([
      {
        field: "currentStatus",
        before: "empty_returned",
        after: { value: "new", rule: "no_observation", observationId: null, dataSource: "shipping_line" },
      },
    ]);
  });
});

describe("estimates", () => {
  const known = until(0, [
    ...directVoyage(mainContainer),
    fact("EST DEPA", { at: "CNSHA", day: 0.25, reported: -0.5 }),
  ]);
  const eta = (estimatedDay: number, reported: number) =>
    fact("EST ARRI", { at: "NLRTM", day: estimatedDay, reported });
  const near = [...known, eta(31, 26)];

  test("a changed ETA is notified once for the shipment and once for each container", () => {
    const both = [...known, ...until(0, directVoyage(otherContainer))];
    expect(announced(both, eta(33, 1))).toEqual([
      "shipment_estimate 2026-02-03",
      `container_estimate vessel_arrived 2026-02-03 ${mainContainer}`,
      `container_estimate vessel_arrived 2026-02-03 ${otherContainer}`,
    ]);
  });

  test("a changed ETD is notified for each container until the departure", () => {
    const revised = fact("EST DEPA", { at: "CNSHA", day: 1, reported: -0.1 });
    expect(announced(known, revised)).toEqual([`container_estimate vessel_departed 2026-01-02 ${mainContainer}`]);
    const departed = [...known, fact("ACT DEPA", { at: "CNSHA", day: 0 })];
    expect(announced(departed, revised)).toEqual([]);
  });

  test("close to the arrival a change of an hour is notified and a smaller one is not", () => {
    expect(announced(near, eta(31 + 1 / 24, 26.5))).toHaveLength(2);
    expect(announced(near, eta(31 + 0.9 / 24, 26.5))).toEqual([]);
    expect(changes(near, eta(31 + 0.9 / 24, 26.5)).shipment.map(({ field }) => field)).toEqual(["podEtaAt"]);
  });

  test("far from the arrival a change of twelve hours is notified and a smaller one is not", () => {
    expect(announced(known, eta(31 + 11 / 24, 1))).toEqual([]);
    expect(announced(known, eta(31 + 12 / 24, 1))).toHaveLength(2);
  });

  test("a change to another day is always notified", () => {
    expect(announced(near, eta(31 - 0.5 / 24, 26.5))).toEqual([
      "shipment_estimate 2026-01-31",
      `container_estimate vessel_arrived 2026-01-31 ${mainContainer}`,
    ]);
  });

  test("a first estimate after the creation is notified", () => {
    const withoutPlan = known.filter(({ code }) => code !== "ARRI");
    expect(announced(withoutPlan, eta(31, 1))).toHaveLength(2);
  });

  test("no estimate is notified after the arrival", () => {
    const arrived = until(33, directVoyage());
    expect(announced(arrived, eta(34, 33))).toEqual([]);
  });

  test("the inland ETA is notified for each container separately", () => {
    const onTrain = until(19, railVoyage());
    const revised = fact("EST ARRI", { at: "USCHI", day: 23, reported: 20, mode: "RAIL" });
    expect(announced(onTrain, revised)).toEqual([
      `container_estimate arrived_at_inland_destination 2026-01-24 ${mainContainer}`,
    ]);
  });
});

describe("the terminal of the port of discharge", () => {
  const known = until(20.5, directVoyage());
  const at = (facilityCode: string, reported: number) =>
    fact("EST ARRI", { at: "NLRTM", day: 32, reported, facilityCode });

  test("is notified when it becomes known and when it changes, also in container.updated", () => {
    expect(announced(known, at("RWG", 21))).toEqual([
      `pod_terminal_changed ${mainContainer}`,
      `container_updated ${mainContainer}`,
    ]);
    const updated = changes([...known, at("RWG", 21)], at("ECT", 22)).announcements.at(-1);
    expect(updated).toMatchObject({
      kind: "container_updated",
      changeset: { podTerminal: [{ facilityCode: "RWG" }, { facilityCode: "ECT" }] },
    });
  });

  test("is not notified when it becomes unknown", () => {
    const first = at("RWG", 21);
    const vanished = { ...first, id: "vanished", retracted: true, observedAt: day(23) };
    const plan = changes([...known, first], vanished);
    expect(plan.shipment).toContainEqual(expect.objectContaining({ field: "podTerminal", after: null }));
    expect(plan.announcements).toEqual([]);
  });

  test("another spelling of its name is written but not notified", () => {
    const first = at("RWG", 21);
    const renamed = reportedAgain(first, { place: { ...first.place, name: "Rotterdam World Gateway" } });
    const plan = changes([...known, first], renamed);
    expect(plan.shipment.map(({ field }) => field)).toContain("podTerminal");
    expect(plan.announcements).toEqual([]);
  });
});
