import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, dayMs, hourMs } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";
import { deriveShipment } from "./derive-shipment.ts";
import { anyHistory, anyObservation, shuffled } from "./testing/arbitrary-observations.ts";
import { day, reportedAgain, testPlaces } from "./testing/voyage.ts";
import { mainContainer } from "./testing/voyages.ts";

const derive = (observations: readonly Observation[]) => deriveShipment(observations, testPlaces);

/** Reported and observed after everything else, about a container, under a new id. */
const anyLateFact = anyObservation.map(
  (observation): Observation => ({
    ...observation,
    containerNumber: mainContainer,
    statedAt: day(50),
    observedAt: day(50),
    sourceEventId: `late ${observation.id}`,
    retracted: false,
  }),
);

describe("the fold", () => {
  test("does not depend on the order of the observations", () => {
    fc.assert(
      fc.property(
        anyHistory.chain((history) => fc.tuple(fc.constant(history), shuffled(history))),
        ([history, other]) => expect(derive(other)).toEqual(derive(history)),
      ),
      { numRuns: 300 },
    );
  });

  test("does not depend on how often an observation is repeated", () => {
    fc.assert(
      fc.property(
        anyHistory.chain((history) => fc.tuple(fc.constant(history), fc.subarray([...history]))),
        ([history, again]) => expect(derive([...history, ...again])).toEqual(derive(history)),
      ),
      { numRuns: 300 },
    );
  });

  test("the milestone keys of a container are unique", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        for (const { events } of derive(history).containers) {
          const keys = events.map(({ milestoneKey }) => milestoneKey);
          expect(keys).toEqual([...new Set(keys)]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("an event repeated under another id is one milestone", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const again = history
          .filter(({ retracted }) => !retracted)
          .map((one) => reportedAgain(one, { statedAt: one.statedAt, observedAt: one.observedAt }));
        const keys = (all: readonly Observation[]) =>
          derive(all).containers.map(({ events }) => events.map(({ milestoneKey }) => milestoneKey));
        const repeated = keys([...history, ...again]);
        for (const own of repeated) expect(new Set(own).size).toBe(own.length);
      }),
      { numRuns: 200 },
    );
  });

  test("adding an event and retracting it restores the state", () => {
    fc.assert(
      fc.property(anyHistory, anyLateFact, (history, late) => {
        const retracted: Observation = {
          ...late,
          id: `${late.id} taken back`,
          retracted: true,
          statedAt: addMs(day(50), hourMs),
          observedAt: addMs(day(50), dayMs),
        };
        const { lastObservedAt: _, ...before } = derive(history);
        const { lastObservedAt: __, ...after } = derive([...history, late, retracted]);
        expect(after).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  test("original estimates do not change while the port stays the same", () => {
    const lateEstimates = fc.array(
      anyLateFact.map((late): Observation => ({ ...late, code: "ARRI", classifier: "EST" })),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(anyHistory, lateEstimates, (history, late) => {
        const { attributes: before } = derive(history);
        const { attributes: after } = derive([...history, ...late]);
        const isSamePort = before.portOfDischarge?.value.locode === after.portOfDischarge?.value.locode;
        if (before.podOriginalEtaAt !== undefined && isSamePort) {
          expect(after.podOriginalEtaAt).toEqual(before.podOriginalEtaAt);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("events are chronological, and each follows from a past actual", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const byId = new Map(history.map((one) => [one.id, one]));
        for (const { events } of derive(history).containers) {
          const times = events.map(({ occurredAt }) => occurredAt);
          expect(times).toEqual(times.toSorted());
          for (const { observationId } of events) {
            const observation = byId.get(observationId);
            expect(observation?.classifier).toBe("ACT");
            expect(observation?.retracted).toBe(false);
            expect((observation?.eventAt ?? "") <= addMs(observation?.observedAt ?? day(0), 2 * hourMs)).toBe(true);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
