import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, dayMs, type Instant, instant, minuteMs } from "../instant.ts";
import { type ObservationDraft, reportTimeOf } from "./observation.ts";
import { type KnownObservation, planObservationChanges, valuesText } from "./plan-observation-changes.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const places = {
  canonicalLocode: (locode: string) => (locode === "CNSGH" ? "CNSHA" : locode),
  kindOf: () => "port" as const,
  nameOf: () => null,
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

/** Applies replies one after another, as the store does. */
function observationStore() {
  let facts: KnownObservation[] = [];
  let ids = 0;
  return {
    apply(drafts: readonly ObservationDraft[], observedAt: Instant, isComplete = true) {
      const changes = planObservationChanges(facts, drafts, {
        isComplete,
        observedAt,
        places,
        nextId: () => `id-${++ids}`,
        hash,
      });
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
    count: () => facts.length,
    /** The event that the derivation uses: the one reported last. */
    newest: () =>
      facts
        .map(({ observation }) => observation)
        .toSorted((a, b) => (reportTimeOf(a, a.observedAt) < reportTimeOf(b, b.observedAt) ? -1 : 1))
        .at(-1),
  };
}

describe("the identity of an observation", () => {
  test("is its values, in any order of keys and with any message id", () => {
    const { place, ...rest } = draft({ sourceEventId: "two" });
    const reordered = {
      place: Object.fromEntries(Object.entries(place).reverse()),
      ...rest,
    } as unknown as ObservationDraft;
    expect(valuesText(reordered)).toBe(valuesText(draft()));
    expect(valuesText(draft({ eventAt: start }))).not.toBe(valuesText(draft()));
  });
});

describe("creation times", () => {
  const estimate = (hours: number, statedAt: Instant) =>
    draft({ code: "ARRI", classifier: "EST", eventAt: addMs(start, hours * 3_600_000), statedAt });
  const none = { added: [], missing: [], closedIds: [], recheckAt: null };

  test("equal to the time of the reply add nothing in any number of polls", () => {
    const carrier = observationStore();
    const reply = (at: Instant) => [draft({ statedAt: at }), estimate(100, at), estimate(120, at)];
    carrier.apply(reply(start), start);
    for (let poll = 1; poll <= 50; poll++) {
      const at = addMs(start, poll * dayMs);
      expect(carrier.apply(reply(at), at)).toEqual(none);
    }
  });

  test("that increase with each event add nothing", () => {
    const carrier = observationStore();
    const reply = (at: Instant) => [estimate(100, at), estimate(120, addMs(at, 3)), draft({ statedAt: addMs(at, 5) })];
    carrier.apply(reply(start), start);
    for (let poll = 1; poll <= 50; poll++) {
      const at = addMs(start, poll * dayMs);
      expect(carrier.apply(reply(at), at)).toEqual(none);
    }
  });

  test("make an estimate that the carrier returns to the newest one", () => {
    const carrier = observationStore();
    const later = (minutes: number) => addMs(start, minutes * minuteMs);
    carrier.apply([estimate(100, start)], start);
    carrier.apply([estimate(100, start), estimate(120, later(10))], later(10));
    const returned = carrier.apply([estimate(120, later(10)), estimate(100, later(20))], later(20));
    expect(returned.added).toMatchObject([
      { observation: { eventAt: estimate(100, start).eventAt, statedAt: later(20) } },
    ]);
    expect(returned.closedIds).toHaveLength(1);
    expect(carrier.apply([estimate(120, later(10)), estimate(100, later(20))], later(30))).toEqual(none);
  });

  test("use the later of two equal events of a reply", () => {
    const { added } = observationStore().apply(
      [estimate(100, start), estimate(100, addMs(start, dayMs))],
      addMs(start, dayMs),
    );
    expect(added).toMatchObject([{ observation: { statedAt: addMs(start, dayMs) } }]);
  });

  test("that contradict each other in every reply add a bounded number of versions", () => {
    const carrier = observationStore();
    let added = 0;
    for (let poll = 0; poll < 200; poll++) {
      const at = addMs(start, poll * dayMs);
      const first = poll % 2 === 0 ? at : addMs(at, 1);
      const second = poll % 2 === 0 ? addMs(at, 1) : at;
      added += carrier.apply([estimate(100, first), estimate(120, second)], at).added.length;
    }
    expect(added).toBeLessThanOrEqual(2 * 20);
  });
});

describe("files that do not date their reports", () => {
  const received = (hours: number, messageReceivedAt?: Instant) =>
    draft({
      code: "ARRI",
      classifier: "EST",
      eventAt: addMs(start, hours * 3_600_000),
      statedAt: null,
      ...(messageReceivedAt && { messageReceivedAt }),
    });
  const none = { added: [], missing: [], closedIds: [], recheckAt: null };
  const at = (minutes: number) => addMs(start, minutes * minuteMs);

  test("make the estimate of the last file the newest, whatever earlier files reported", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 103 }), { minLength: 1, maxLength: 12 }), (estimates) => {
        const partner = observationStore();
        for (const [index, hours] of estimates.entries()) {
          partner.apply([received(hours, at(index * 60))], at(index * 60 + 1), false);
          expect(partner.newest()?.eventAt).toBe(received(hours).eventAt);
        }
        const count = estimates.filter((hours, index) => hours !== estimates[index - 1]).length;
        expect(partner.count()).toBe(count);
      }),
    );
  });

  test("change nothing when one is processed again after a later one", () => {
    const partner = observationStore();
    partner.apply([received(100, at(0))], at(1), false);
    partner.apply([received(120, at(60))], at(61), false);
    expect(partner.apply([received(100, at(0))], at(90), false)).toEqual(none);
    expect(partner.newest()?.eventAt).toBe(received(120).eventAt);
  });

  test("are compared by their receipt, not by when they were processed", () => {
    const partner = observationStore();
    partner.apply([received(100, at(0))], at(1), false);
    partner.apply([received(120, at(60))], at(90), false);
    expect(partner.apply([received(100, at(61))], at(91), false).added).toHaveLength(1);
  });

  test("count as older than a report that was polled since", () => {
    const partner = observationStore();
    partner.apply([received(100, at(0))], at(1), false);
    partner.apply([{ ...received(120), statedAt: at(70) }], at(70), false);
    expect(partner.apply([received(100, at(60))], at(80), false)).toEqual(none);
  });

  test("repeat their history without an effect", () => {
    const partner = observationStore();
    partner.apply([received(100, at(0))], at(1), false);
    partner.apply([received(100, at(60)), received(120, at(60))], at(61), false);
    expect(partner.apply([received(100, at(120)), received(120, at(120))], at(121), false)).toEqual(none);
    expect(partner.newest()?.eventAt).toBe(received(120).eventAt);
  });
});

describe("events that a reply lacks", () => {
  test("are not missing when they are repeated, completed or at an alias of the place", () => {
    const carrier = observationStore();
    carrier.apply([draft()], start);
    const alias = { ...draft().place, locode: "CNSGH", name: "Shanghai" };
    const reportedAgain = draft({ statedAt: addMs(start, dayMs), seals: ["S1"], place: alias });
    carrier.apply([reportedAgain], addMs(start, minuteMs));
    expect(carrier.apply([reportedAgain], addMs(start, dayMs))).toMatchObject({
      missing: [],
      closedIds: [],
      recheckAt: null,
    });
  });

  test("long in the past were purged by the carrier, and stay valid", () => {
    const carrier = observationStore();
    carrier.apply([draft({ eventAt: addMs(start, -40 * dayMs) }), draft()], start);
    expect(carrier.apply([draft()], addMs(start, dayMs)).missing).toEqual([]);
  });

  test("are not withdrawn when a part of the reply could not be read", () => {
    const carrier = observationStore();
    carrier.apply([draft(), draft({ code: "ARRI" })], start);
    const later = addMs(start, dayMs);
    expect(carrier.apply([draft()], later, false)).toMatchObject({ missing: [], closedIds: [] });
  });

  test("are retracted once, however often they are missing", () => {
    const carrier = observationStore();
    carrier.apply([draft(), draft({ code: "ARRI" })], start);
    for (let minutes = 10; minutes < 200; minutes += 10) carrier.apply([draft()], addMs(start, minutes * minuteMs));
    expect(carrier.retractions()).toBe(1);
  });
});

test("the same reply again changes nothing", () => {
  const facts = fc.array(
    fc.record({ code: fc.constantFrom("DEPA", "ARRI"), hours: fc.integer({ min: -200, max: 0 }) }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(facts, (list) => {
      const carrier = observationStore();
      const drafts = list.map(({ code, hours }) => draft({ code, eventAt: addMs(start, hours * 3_600_000) }));
      carrier.apply(drafts, start);
      const changes = carrier.apply(drafts, addMs(start, dayMs));
      expect(changes).toEqual({ added: [], missing: [], closedIds: [], recheckAt: null });
    }),
  );
});

describe("a state that the source reports without the time since when", () => {
  const holds = (...names: readonly string[]) =>
    draft({
      eventType: "TERMINAL",
      code: "HOLDS",
      eventAt: instant(0),
      statedAt: null,
      sinceUnknown: true,
      pickup: { aspect: "holds", holds: names.map((name) => ({ name, status: "hold", description: null })) },
    });
  const at = (minutes: number) => addMs(start, minutes * minuteMs);

  test("is one of the reply, and the same state in later replies changes nothing", () => {
    const store = observationStore();
    const [first] = store.apply([holds("customs")], at(0), false).added;
    expect(first?.observation).toMatchObject({ eventAt: at(0), statedAt: at(0), observedAt: at(0) });
    expect(store.apply([holds("customs")], at(30), false).added).toEqual([]);
  });

  test("is the newest again when the source returns to it, each time", () => {
    const store = observationStore();
    for (let round = 0; round < 5; round++) {
      expect(store.apply([holds("customs")], at(round * 60), false).added).toHaveLength(1);
      const [released] = store.apply([holds()], at(round * 60 + 30), false).added;
      expect(released?.observation.eventAt).toBe(at(round * 60 + 30));
    }
  });
});
