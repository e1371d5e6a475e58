import { describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { Shipment } from "@svc/domain/shipments";
import { journeySteps, type TransportEvent } from "@svc/domain/transport-events";
import { timelineList } from "@svc/views/timeline";
import { timelineStep } from "./timeline-steps.ts";

type Journey = Parameters<typeof journeySteps>[0];

const timelineSteps = (journey: Journey) => journeySteps(journey).map(timelineStep);

const fact = (classifier: string, eventAt: string, more: object = {}) =>
  ({
    id: eventAt,
    event: classifier === "ACT" ? "vessel_departed" : null,
    portId: "shanghai",
    metroAreaId: null,
    fact: {
      code: "DEPA",
      classifier,
      eventAt: instant(eventAt),
      isEmpty: null,
      place: { locode: "CNSHA" },
      call: { mode: "VESSEL" },
    },
    ...more,
  }) as unknown as Journey["reports"][number];

const departed = {
  event: "vessel_departed",
  occurredAt: instant("2026-06-02T04:00:00Z"),
  timeZone: "Asia/Shanghai",
  timePrecision: "exact",
  portId: "shanghai",
  metroAreaId: null,
  terminalId: null,
  vesselId: null,
  voyageNumber: "012W",
  dataSource: "shipping_line",
} as unknown as TransportEvent;

const shipment = {
  containerIds: ["one", "other"],
  polEtdAt: instant("2026-06-02T03:00:00Z"),
  polOriginalEtdAt: instant("2026-06-01T00:00:00Z"),
  polAtdAt: departed.occurredAt,
  podEtaAt: instant("2026-07-05T10:00:00Z"),
  podOriginalEtaAt: instant("2026-07-02T10:00:00Z"),
  podAtaAt: null,
  portOfLading: { id: "shanghai", name: "Shanghai", timeZone: "Asia/Shanghai" },
  portOfDischarge: { id: "hamburg", name: "Hamburg", timeZone: "Europe/Berlin" },
  destination: null,
} as unknown as Shipment;

const names = new Map([
  ["shanghai", "Shanghai"],
  ["busan", "Busan"],
  ["hamburg", "Hamburg"],
]);
const order = { newestFirst: false, otherPath: "/other" };
const planOf = (markup: unknown) =>
  /<span class="note muted">(\w+(?: \w+)?) <time[^>]* title="([^"]*)"/.exec(String(markup))?.slice(1).join(" ");
const textOf = (markup: unknown): string =>
  String(markup)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

test("a milestone shows what happened and how late it is against the plan of the same move, in the zone of the place", () => {
  const facts = [
    fact("ACT", "2026-06-02T04:00:00Z"),
    fact("EST", "2026-06-01T12:00:00Z"),
    fact("EST", "2026-05-31T12:00:00Z"),
    fact("PLN", "2026-05-30T12:00:00Z"),
    fact("PLN", "2026-05-01T12:00:00Z", { fact: { code: "ARRI", classifier: "PLN", place: { locode: "CNSHA" } } }),
  ];
  const markup = timelineList(timelineSteps({ timeline: [departed], shipment, names, reports: facts }), order);
  const text = textOf(markup);
  expect(text).toContain("Shanghai Vessel departed latest Tue 2 Jun, 12:00 GMT+8 3 days late");
  expect(planOf(markup)).toBe("scheduled Sat, 30 May 2026, 20:00 GMT+8");
  expect(text).toContain("voyage 012W · about 33 d 6 h Hamburg Vessel arrival ETA Sun 5 Jul, 12:00 CEST 3 days late");
  const [, arrival] = timelineSteps({ timeline: [departed], shipment, names, reports: facts });
  expect(planOf(timelineList(arrival ? [arrival] : [], order))).toBe("originally Thu, 2 Jul 2026, 12:00 CEST");
});

test("uses the first estimated departure from the port when no plan is reported", () => {
  const steps = timelineSteps({ timeline: [departed], shipment, names, reports: [] });
  expect(steps[0]).toMatchObject({ plannedAt: shipment.polOriginalEtdAt, estimatedAt: null });
  expect(planOf(timelineList(steps, order))).toBe("first estimated Mon, 1 Jun 2026, 08:00 GMT+8");
});

const atHamburg = (eventAt: string, statedAt: string, more: object = {}) =>
  ({
    event: null,
    portId: "hamburg",
    metroAreaId: null,
    observedAt: instant(statedAt),
    fact: {
      code: "ARRI",
      classifier: "EST",
      eventAt: instant(eventAt),
      statedAt: instant(statedAt),
      isEmpty: null,
      place: { locode: "DEHAM" },
      call: { mode: "VESSEL", vessel: { imo: null, name: "EVER GIVEN" }, importVoyage: "034E" },
      containerNumber: "OWNU1000001",
      sourceEventId: null,
      retracted: false,
      ...more,
    },
  }) as unknown as Journey["reports"][number];

describe("a container of a shipment whose containers arrive separately", () => {
  const toCome = (reports: Journey["reports"], base: object = shipment) =>
    timelineSteps({ timeline: [departed], shipment: base as Shipment, names, reports }).at(-1);
  // Latest received first.
  const own = [
    atHamburg("2026-06-29T10:00:00Z", "2026-06-05T00:00:00Z"),
    atHamburg("2026-06-28T10:00:00Z", "2026-06-06T00:00:00Z"),
    atHamburg("2026-06-25T10:00:00Z", "2026-06-01T00:00:00Z"),
  ];

  test("shows the newest estimate, the first one and the vessel that are reported for it", () => {
    const step = toCome(own);
    expect(step).toMatchObject({
      estimatedAt: "2026-06-28T10:00:00.000Z",
      plannedAt: "2026-06-25T10:00:00.000Z",
      voyage: "EVER GIVEN, voyage 034E",
    });
    expect(textOf(timelineList(step ? [step] : [], order))).toContain("3 days late");
  });

  test("a departure to come is late against its own first estimate, not that of the shipment's other vessel", () => {
    const loaded = { ...shipment, polAtdAt: null };
    const departure = fact("EST", "2026-06-02T03:00:00Z");
    const reports = [{ ...departure, fact: { ...departure.fact, containerNumber: "OWNU1000001", retracted: false } }];
    const [step] = timelineSteps({ timeline: [], shipment: loaded, names, reports });
    expect(step).toMatchObject({ estimatedAt: "2026-06-02T03:00:00.000Z", plannedAt: "2026-06-02T03:00:00.000Z" });
  });

  test("omits what the source retracted", () => {
    const [, newest] = own;
    const retraction = { ...newest, fact: { ...newest?.fact, retracted: true } } as Journey["reports"][number];
    expect(toCome([retraction, ...own])?.estimatedAt).toBe("2026-06-29T10:00:00.000Z");
  });

  test("shows the shipment's estimate without a report that names it, and for a single container", () => {
    const withoutContainer = own.map((one) => ({ ...one, fact: { ...one.fact, containerNumber: null } }));
    const shipmentTimes = { estimatedAt: shipment.podEtaAt, plannedAt: shipment.podOriginalEtaAt };
    expect(toCome([])).toMatchObject(shipmentTimes);
    expect(toCome(withoutContainer)).toMatchObject(shipmentTimes);
    expect(toCome(own, { ...shipment, containerIds: ["one"] })).toMatchObject(shipmentTimes);
  });
});

const atBusan = (["transshipment_arrived", "transshipment_departed"] as const).map((event, day) => ({
  ...departed,
  event,
  occurredAt: instant(`2026-06-0${day + 5}T04:00:00Z`),
  timeZone: "Asia/Seoul",
  portId: "busan",
}));
const arrived: TransportEvent = {
  ...departed,
  event: "vessel_arrived",
  occurredAt: instant("2026-07-05T10:00:00Z"),
  portId: "hamburg",
};
const journey = (timeline: TransportEvent[], newestFirst = false): string =>
  String(timelineList(timelineSteps({ timeline, shipment, names, reports: [] }), { ...order, newestFirst }));

test("a port on the way is folded, with how it ended, unless it is where the container is", () => {
  const over = journey([departed, ...atBusan, arrived]);
  expect(textOf(over)).toContain(
    "Busan Transshipment, 2 events: transshipment departed Sat 6 Jun, 13:00 GMT+9 Transshipment arrived",
  );
  expect(over.match(/<details/g)).toHaveLength(1);
  expect(over).not.toContain(" open");
  expect(journey([departed, ...atBusan])).not.toContain("<details");
});

test("a leg has its vessel and duration, between its places and after the last one", () => {
  const text = textOf(journey([departed, ...atBusan, arrived]));
  expect(text).toContain("voyage 012W · 3 d Busan");
  expect(text).toContain("voyage 012W · 29 d 6 h Hamburg");
  expect(textOf(journey([{ ...departed, event: "vessel_loaded" }]))).toContain("GMT+8 voyage 012W Hamburg");
  expect(text.match(/voyage 012W/g)).toHaveLength(2);
});

test("times have their year when the journey has several", () => {
  const later = { ...arrived, occurredAt: instant("2027-01-05T10:00:00Z") };
  expect(textOf(journey([departed, arrived]))).not.toContain("2026");
  expect(textOf(journey([departed, later]))).toContain("Vessel departed Tue, 2 Jun 2026, 12:00 GMT+8");
});

test("a delay is in days, as in lists, and on the planned day in hours without a colour", () => {
  const steps = journeySteps({ timeline: [departed], shipment, names, reports: [] }).map(timelineStep);
  const [step] = steps;
  const journeyPlannedAt = (at: string) => timelineList(step ? [{ ...step, plannedAt: instant(at) }] : [], order);
  expect(planOf(journeyPlannedAt("2026-06-02T03:30:01Z"))).toBeUndefined();
  expect(String(journeyPlannedAt("2026-06-02T03:30:00Z"))).toContain('<span class="muted">+1 h</span>');
  expect(String(journeyPlannedAt("2026-06-02T07:10:00Z"))).toContain('<span class="muted">−3 h</span>');
  // Midnight in Shanghai is 16:00 UTC.
  expect(String(journeyPlannedAt("2026-06-01T16:00:00Z"))).toContain('<span class="muted">+12 h</span>');
  expect(String(journeyPlannedAt("2026-06-01T15:00:00Z"))).toContain('<span class="soon">1 day late</span>');
  expect(String(journeyPlannedAt("2026-06-02T16:00:00Z"))).toContain('<span class="early">1 day early</span>');
});

test("the delay of the arrival is against the first estimate, whatever a later call planned", () => {
  const plan = atHamburg("2026-07-05T08:00:00Z", "2026-06-20T00:00:00Z", { classifier: "PLN" });
  const actual = { ...atHamburg("2026-07-05T10:00:00Z", "2026-07-05T10:00:00Z", { classifier: "ACT" }) };
  const reports = [
    { ...actual, event: "vessel_arrived" as const },
    { ...plan, event: "vessel_arrived" as const },
  ];
  const coming = { ...shipment, podEtaAt: instant("2026-07-05T08:00:00Z") };
  const stepOf = (timeline: TransportEvent[], of: Shipment) =>
    timelineSteps({ timeline, shipment: of, names, reports }).at(-1);
  for (const step of [stepOf([departed, arrived], shipment), stepOf([departed], coming)]) {
    expect(step).toMatchObject({ plannedAt: shipment.podOriginalEtaAt, planBasis: "first_estimate" });
  }
});

test("shows the journey newest first on request, by place and by event", () => {
  const text = textOf(journey([departed, ...atBusan, arrived], true));
  const places = ["Hamburg", "Busan", "Transshipment departed", "Transshipment arrived", "Shanghai"];
  const at = places.map((place) => text.indexOf(place));
  expect(at).toEqual(at.toSorted((one, other) => one - other));
  expect(at).not.toContain(-1);
  expect(text).toContain("Oldest first");
});
