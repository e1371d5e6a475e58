import { describe, expect, test } from "@jest/globals";
import { addMs, dayMs, type Instant, instant, minuteMs, type ObservationDraft } from "@svc/domain";
import type { KnownObservation } from "@svc/persistence";
import fc from "fast-check";
import { compareFacts, valueHashOf } from "./reply-facts.ts";

const places = {
  canonicalLocode: (locode: string) => (locode === "CNSGH" ? "CNSHA" : locode),
  kindOf: () => "port" as const,
};
const start = instant("2026-03-01T00:00:00Z");

const draft = (rest: Partial<ObservationDraft> = {}): ObservationDraft => ({
  eventType: "TRANSPORT",
  code: "DEPA",
  classifier: "ACT",
  eventAt: addMs(start, -dayMs),
  timePrecision: "exact",
  statedAt: start,
  sourceEventId: "one",
  dataSource: "shipping_line",
  containerNumber: null,
  isEmpty: null,
  isoEquipmentCode: null,
  seals: [],
  place: { locode: "CNSHA", name: null, facilityCode: null, facilityCodeProvider: null, facilityType: null },
  call: null,
  documentType: null,
  documentId: null,
  reason: null,
  retracted: false,
  ...rest,
});

/** Applies replies one after another, as the store would. */
function listener() {
  let facts: KnownObservation[] = [];
  let ids = 0;
  return {
    hear(drafts: readonly ObservationDraft[], observedAt: Instant, isComplete = true) {
      const changes = compareFacts(facts, drafts, { isComplete, observedAt, places, nextId: () => `id-${++ids}` });
      const missing = new Map(changes.missing.map(({ id, missingSince }) => [id, missingSince]));
      const closed = new Set(changes.closedIds);
      facts = facts.map((fact) => {
        const { id } = fact.observation;
        const missingSince = missing.has(id) ? (missing.get(id) ?? null) : fact.missingSince;
        return { ...fact, missingSince, withdrawnAt: closed.has(id) ? observedAt : fact.withdrawnAt };
      });
      const added = changes.added.map(({ observation, valueHash }) => ({ observation, valueHash }));
      facts.push(
        ...added.map((fact) => ({
          ...fact,
          subjectId: "s",
          channel: "poll" as const,
          missingSince: null,
          withdrawnAt: null,
        })),
      );
      return changes;
    },
    retractions: () => facts.filter(({ observation }) => observation.retracted).length,
  };
}

describe("what identifies a fact", () => {
  test("is what it says, whatever the order of its members and the id of its message", () => {
    const { place, ...rest } = draft({ sourceEventId: "two" });
    const reordered = {
      place: Object.fromEntries(Object.entries(place).reverse()),
      ...rest,
    } as unknown as ObservationDraft;
    expect(valueHashOf(reordered)).toBe(valueHashOf(draft()));
    expect(valueHashOf(draft({ eventAt: start }))).not.toBe(valueHashOf(draft()));
  });
});

describe("statement times", () => {
  const estimate = (hours: number, statedAt: Instant) =>
    draft({ code: "ARRI", classifier: "EST", eventAt: addMs(start, hours * 3_600_000), statedAt });
  const none = { added: [], missing: [], closedIds: [], recheckAt: null };

  test("a line that stamps them at the time of its answer adds nothing in any number of polls", () => {
    const carrier = listener();
    const reply = (at: Instant) => [draft({ statedAt: at }), estimate(100, at), estimate(120, at)];
    carrier.hear(reply(start), start);
    for (let poll = 1; poll <= 50; poll++) {
      const at = addMs(start, poll * dayMs);
      expect(carrier.hear(reply(at), at)).toEqual(none);
    }
  });

  test("a line that stamps each event a little later than the one before adds nothing either", () => {
    const carrier = listener();
    const reply = (at: Instant) => [estimate(100, at), estimate(120, addMs(at, 3)), draft({ statedAt: addMs(at, 5) })];
    carrier.hear(reply(start), start);
    for (let poll = 1; poll <= 50; poll++) {
      const at = addMs(start, poll * dayMs);
      expect(carrier.hear(reply(at), at)).toEqual(none);
    }
  });

  test("an estimate that the line returns to becomes the newest again", () => {
    const carrier = listener();
    const later = (minutes: number) => addMs(start, minutes * minuteMs);
    carrier.hear([estimate(100, start)], start);
    carrier.hear([estimate(100, start), estimate(120, later(10))], later(10));
    const returned = carrier.hear([estimate(120, later(10)), estimate(100, later(20))], later(20));
    expect(returned.added).toMatchObject([
      { observation: { eventAt: estimate(100, start).eventAt, statedAt: later(20) } },
    ]);
    expect(returned.closedIds).toHaveLength(1);
    expect(carrier.hear([estimate(120, later(10)), estimate(100, later(20))], later(30))).toEqual(none);
  });

  test("of a fact that one reply states twice the newest statement counts", () => {
    const { added } = listener().hear([estimate(100, start), estimate(100, addMs(start, dayMs))], addMs(start, dayMs));
    expect(added).toMatchObject([{ observation: { statedAt: addMs(start, dayMs) } }]);
  });

  test("versions of a fact are bounded when the times contradict each other in every reply", () => {
    const carrier = listener();
    let added = 0;
    for (let poll = 0; poll < 200; poll++) {
      const at = addMs(start, poll * dayMs);
      const first = poll % 2 === 0 ? at : addMs(at, 1);
      const second = poll % 2 === 0 ? addMs(at, 1) : at;
      added += carrier.hear([estimate(100, first), estimate(120, second)], at).added.length;
    }
    expect(added).toBeLessThanOrEqual(2 * 20);
  });
});

describe("facts that a reply lacks", () => {
  test("that are only restated, completed or named by an alias are not missing", () => {
    const carrier = listener();
    carrier.hear([draft()], start);
    const alias = { ...draft().place, locode: "CNSGH", name: "Shanghai" };
    const restated = draft({ statedAt: addMs(start, dayMs), seals: ["S1"], place: alias });
    carrier.hear([restated], addMs(start, minuteMs));
    expect(carrier.hear([restated], addMs(start, dayMs))).toMatchObject({
      missing: [],
      closedIds: [],
      recheckAt: null,
    });
  });

  test("for long past events were purged and hold", () => {
    const carrier = listener();
    carrier.hear([draft({ eventAt: addMs(start, -40 * dayMs) }), draft()], start);
    expect(carrier.hear([draft()], addMs(start, dayMs)).missing).toEqual([]);
  });

  test("mean nothing when some of the reply could not be read", () => {
    const carrier = listener();
    carrier.hear([draft(), draft({ code: "ARRI" })], start);
    const later = addMs(start, dayMs);
    expect(carrier.hear([draft()], later, false)).toMatchObject({ missing: [], closedIds: [] });
  });

  test("are retracted once, however often they stay away", () => {
    const carrier = listener();
    carrier.hear([draft(), draft({ code: "ARRI" })], start);
    for (let minutes = 10; minutes < 200; minutes += 10) carrier.hear([draft()], addMs(start, minutes * minuteMs));
    expect(carrier.retractions()).toBe(1);
  });
});

test("hearing the same reply again changes nothing", () => {
  const facts = fc.array(
    fc.record({ code: fc.constantFrom("DEPA", "ARRI"), hours: fc.integer({ min: -200, max: 0 }) }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(facts, (list) => {
      const carrier = listener();
      const drafts = list.map(({ code, hours }) => draft({ code, eventAt: addMs(start, hours * 3_600_000) }));
      carrier.hear(drafts, start);
      const again = carrier.hear(drafts, addMs(start, dayMs));
      expect(again).toEqual({ added: [], missing: [], closedIds: [], recheckAt: null });
    }),
  );
});
