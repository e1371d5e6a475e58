import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, dayMs, hourMs, type Instant, minuteMs, msBetween } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";
import { planTrackingChanges } from "./plan-tracking-changes.ts";
import { applyChanges } from "./testing/apply-changes.ts";
import { derive } from "./testing/read-derived.ts";
import { day, fact, reportedAgain, until } from "./testing/voyage.ts";
import { directVoyage, mainContainer, otherContainer, railVoyage } from "./testing/voyages.ts";
import type { Announcement, StoredShipment, TrackingChanges } from "./tracking-changes.ts";

const midnight = 31;
const eta = (estimatedAt: Instant, reported: number): Observation =>
  reportedAgain(fact("EST ARRI", { at: "NLRTM", day: midnight, reported }), { eventAt: estimatedAt });
const atMinute = (minutes: number): Instant => addMs(day(midnight), minutes * minuteMs);

/** A shipment that receives one observation after the other. */
class Tracked {
  readonly #observations: Observation[];
  stored: StoredShipment;

  constructor(observations: readonly Observation[]) {
    this.#observations = [...observations];
    this.stored = applyChanges(null, planTrackingChanges(null, derive(this.#observations)));
  }

  receive(...observations: readonly Observation[]): TrackingChanges {
    this.#observations.push(...observations);
    const changes = planTrackingChanges(this.stored, this.derived);
    this.stored = applyChanges(this.stored, changes);
    expect(planTrackingChanges(this.stored, this.derived)).toEqual({
      shipment: [],
      containers: [],
      announcements: [],
      notifiedEstimates: [],
    });
    return changes;
  }

  get derived() {
    return derive(this.#observations);
  }
}

const arrivals = (announcements: readonly Announcement[]): string[] =>
  announcements.flatMap((one) => (one.kind === "shipment_estimate" ? [one.estimatedAt.slice(8, 16)] : []));

describe("an estimate that drifts", () => {
  const known = [...until(0, [...directVoyage(mainContainer), ...directVoyage(otherContainer)]), eta(atMinute(10), 26)];

  test("is notified when it is an hour from the last notified value, however small the steps", () => {
    const shipment = new Tracked(known);
    const steps = [60, 110, 160, 210, 260].map((minute, step) => {
      const { announcements } = shipment.receive(eta(atMinute(minute), 26.1 + step / 10));
      return arrivals(announcements);
    });
    expect(steps).toEqual([[], ["01T01:50"], [], ["01T03:30"], []]);
  });

  test("is notified once for each container, too", () => {
    const shipment = new Tracked(known);
    shipment.receive(eta(atMinute(60), 26.1));
    const kinds = shipment.receive(eta(atMinute(110), 26.2)).announcements.map(({ kind }) => kind);
    expect(kinds).toEqual(["shipment_estimate", "container_estimate", "container_estimate"]);
    expect(shipment.receive(eta(atMinute(111), 26.3)).announcements).toEqual([]);
  });

  test("is not notified when it returns to its old value", () => {
    const shipment = new Tracked(known);
    for (const [step, minute] of [60, 10, 60, 10].entries()) {
      expect(arrivals(shipment.receive(eta(atMinute(minute), 26.1 + step / 10)).announcements)).toEqual([]);
    }
    expect(shipment.stored.notifiedEstimates).toEqual({});
  });

  test("is notified of a small change once it is near", () => {
    const shipment = new Tracked(until(0, directVoyage()));
    const far = shipment.receive(eta(atMinute(11 * 60), 1));
    expect(arrivals(far.announcements)).toEqual([]);
    const near = fact("ACT LOAD", { at: "CNSHA", day: 0.2, reported: 25 });
    expect(arrivals(shipment.receive(near).announcements)).toEqual(["01T11:00"]);
  });

  test("is notified again after it was withdrawn", () => {
    const shipment = new Tracked(known.filter(({ code }) => code !== "ARRI"));
    const first = eta(atMinute(10), 26);
    expect(arrivals(shipment.receive(first).announcements)).toEqual(["01T00:10"]);
    shipment.receive({ ...first, id: "gone", retracted: true, observedAt: day(26.5) });
    expect(shipment.stored.facts.podEtaAt).toBeUndefined();
    expect(arrivals(shipment.receive(eta(atMinute(20), 27)).announcements)).toEqual(["01T00:20"]);
  });

  test("is notified for each container separately inland", () => {
    const shipment = new Tracked(until(19, railVoyage()));
    const inland = (minutes: number) =>
      reportedAgain(fact("EST ARRI", { at: "USCHI", day: 23, reported: 20 + minutes / 10_000, mode: "RAIL" }), {
        eventAt: addMs(day(23), minutes * minuteMs),
      });
    shipment.receive(inland(10));
    const steps = [60, 110].map((minutes) => shipment.receive(inland(minutes)).announcements.length);
    expect(steps).toEqual([0, 1]);
  });
});

describe("containers that arrive separately", () => {
  const etaOf = (vessel: "A" | "B", at: number, reported: number) =>
    fact("EST ARRI", { at: "NLRTM", day: at, vessel, reported, id: `eta ${vessel}` });
  const asLoaded = [
    fact("EST DEPA", { at: "CNSHA", day: 0, vessel: "A" }),
    fact("EST DEPA", { at: "CNSHA", day: 7, vessel: "B" }),
    fact("ACT LOAD", { at: "CNSHA", day: -0.5, vessel: "A", container: mainContainer }),
    fact("ACT DEPA", { at: "CNSHA", day: 0, vessel: "A" }),
    fact("ACT LOAD", { at: "CNSHA", day: 6.5, vessel: "B", container: otherContainer }),
    fact("ACT DEPA", { at: "CNSHA", day: 7, vessel: "B" }),
  ];
  const split = () => new Tracked([...asLoaded, etaOf("A", 30, 8), etaOf("B", 37, 8)]);
  const notified = (announcements: readonly Announcement[]) =>
    announcements.flatMap((one) =>
      one.kind === "shipment_estimate" || one.kind === "container_estimate"
        ? [[one.kind === "shipment_estimate" ? "shipment" : one.containerNumber, one.estimatedAt]]
        : [],
    );

  test("are notified each of its own ETA, the shipment of that of the last one", () => {
    const shipment = split();
    const first = shipment.receive(etaOf("A", 33, 9)).announcements;
    expect(notified(first)).toEqual([[mainContainer, day(33)]]);
    const last = shipment.receive(etaOf("B", 38, 10)).announcements;
    expect(notified(last)).toEqual([
      ["shipment", day(38)],
      [otherContainer, day(38)],
    ]);
  });

  test("small changes of an own ETA add up", () => {
    const shipment = split();
    const hours = (steps: number) => 30 + (steps * 5) / 24;
    const counts = [1, 2, 3].map((step) => shipment.receive(etaOf("A", hours(step), 9 + step)).announcements.length);
    expect(counts).toEqual([0, 0, 1]);
  });

  test("the first arrival ends neither the notifications of the others nor their estimates", () => {
    const shipment = split();
    shipment.receive(fact("ACT ARRI", { at: "NLRTM", day: 30, vessel: "A" }));
    expect(notified(shipment.receive(etaOf("B", 39, 31)).announcements)).toEqual([[otherContainer, day(39)]]);
  });

  test("notifies a container that rejoins the others", () => {
    const shipment = split();
    expect(notified(shipment.receive(etaOf("A", 37, 9)).announcements)).toEqual([[mainContainer, day(37)]]);
    expect(shipment.derived.containers.map(({ attributes }) => attributes.podEtaAt)).toEqual([undefined, undefined]);
    expect(notified(shipment.receive(etaOf("A", 37, 10), etaOf("B", 37, 10)).announcements)).toEqual([]);
  });
});

test("the last notified value is always within the threshold of the estimate", () => {
  const anyStep = fc.record({
    /** Mostly small, so that it drifts. */
    moveMs: fc.oneof(
      fc.integer({ min: -80, max: 80 }).map((minutes) => minutes * minuteMs),
      fc.integer({ min: -14, max: 14 }).map((hours) => hours * hourMs),
    ),
    waitMs: fc.integer({ min: minuteMs, max: 3 * dayMs }),
  });
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 15 }), (steps) => {
      const shipment = new Tracked([...until(0, directVoyage()), eta(atMinute(10), 1)]);
      let [estimate, observedAt] = [atMinute(10), day(1)];
      let lastNotified = estimate;
      for (const { moveMs, waitMs } of steps) {
        estimate = addMs(estimate, moveMs);
        observedAt = addMs(observedAt, waitMs);
        const changes = shipment.receive(reportedAgain(eta(estimate, 1), { statedAt: observedAt, observedAt }));
        const notification = changes.announcements.find((one) => one.kind === "shipment_estimate");
        if (notification?.kind === "shipment_estimate") lastNotified = notification.estimatedAt;
        const current = shipment.stored.facts.podEtaAt as Instant;
        const isFar = msBetween(observedAt, current) > 7 * dayMs;
        expect(Math.abs(msBetween(lastNotified, current))).toBeLessThan((isFar ? 12 : 1) * hourMs);
        expect(lastNotified.slice(0, 10)).toBe(current.slice(0, 10));
      }
    }),
    { numRuns: 200 },
  );
});
