import { expect, test } from "@jest/globals";
import { instant, type Shipment, type TransportEvent } from "@svc/domain";
import type { RawEventRecord } from "@svc/persistence";
import { timelineList } from "./timeline.ts";
import { timelineSteps } from "./timeline-steps.ts";

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
  }) as unknown as RawEventRecord;

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

const names = new Map([["shanghai", "Shanghai"]]);
const words = (markup: unknown): string =>
  String(markup)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

test("a milestone shows what happened, and what was estimated and planned of the same move, in the zone of the place", () => {
  const facts = [
    fact("ACT", "2026-06-02T04:00:00Z"),
    fact("EST", "2026-06-01T12:00:00Z"),
    fact("EST", "2026-05-31T12:00:00Z"),
    fact("PLN", "2026-05-30T12:00:00Z"),
    fact("PLN", "2026-05-01T12:00:00Z", { fact: { code: "ARRI", classifier: "PLN", place: { locode: "CNSHA" } } }),
  ];
  const seen = words(timelineList(timelineSteps({ timeline: [departed], shipment, names, facts })));
  expect(seen).toContain("Shanghai Vessel departed latest Tue, 2 Jun 2026, 12:00 GMT+8");
  expect(seen).toContain("estimated Mon, 1 Jun 2026, 20:00 GMT+8 planned Sat, 30 May 2026, 20:00 GMT+8");
  expect(seen).toContain("3 days later than planned voyage 012W");
  expect(seen).toContain("Hamburg Vessel arrived estimated Sun, 5 Jul 2026, 12:00 CEST");
  expect(seen).toContain("planned Thu, 2 Jul 2026, 12:00 CEST 3 days later than planned");
});

test("where no plan is told, the first estimate of the port's departure stands for it", () => {
  const [step] = timelineSteps({ timeline: [departed], shipment, names, facts: [] });
  expect(step).toMatchObject({ plannedAt: shipment.polOriginalEtdAt, estimatedAt: null });
});
