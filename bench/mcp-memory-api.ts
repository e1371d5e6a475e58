/**
 * Loaded before a server (`node --import`): the API in its memory. Every container is the same one, as the API writes
 * it; no connection, no database.
 */
import { instant } from "@svc/domain";
import { containerOverviewResource } from "@svc/jsonapi/overviews";
import { containerId, shipmentId, wireContainer, wireShipment, wireTerminal } from "@svc/sdk/testing";

const container = wireContainer();
const overview = containerOverviewResource({
  id: containerId,
  number: container.attributes.number,
  shipmentId,
  billOfLadingNumber: "MAEU123456789",
  shippingLineScac: "MAEU",
  refNumbers: ["PO-4711"],
  tags: [],
  customerName: "Nordic Furniture",
  polLocode: "CNSHA",
  polName: "Shanghai",
  polTimezone: "Asia/Shanghai",
  podLocode: "USLAX",
  podName: "Los Angeles",
  podTimezone: "America/Los_Angeles",
  destinationLocode: null,
  destinationName: null,
  destinationTimezone: null,
  vesselName: "EVER TEST",
  vesselImo: "9811000",
  voyageNumber: "021E",
  polEtdAt: null,
  polAtdAt: instant("2026-10-02T00:00:00Z"),
  podEtaAt: instant("2026-10-21T00:00:00Z"),
  podOriginalEtaAt: instant("2026-10-18T00:00:00Z"),
  podAtaAt: null,
  destinationEtaAt: null,
  destinationAtaAt: null,
  arrivalAt: instant("2026-10-21T00:00:00Z"),
  delayDays: 3,
  freshness: "fresh",
  lastChangedAt: instant("2026-10-03T00:00:00Z"),
  lineTrackingStoppedAt: null,
  lineTrackingStoppedReason: null,
  lastEvent: "vessel_departed",
  lastEventAt: instant("2026-10-02T00:00:00Z"),
  lastEventLocode: "CNSHA",
  createdAt: instant("2026-09-30T00:00:00Z"),
  updatedAt: instant("2026-10-03T00:00:00Z"),
  status: "on_ship",
  availableForPickup: false,
  holds: [],
  fees: [],
  lastFreeDay: "2026-10-25",
  lastFreeDayTimezone: "Europe/Amsterdam",
  lastFreeDaySource: "terminal",
  charges: [],
  pickupAppointmentAt: null,
  equipment: "40 dry high_cube",
  podDischargedAt: null,
  fullOutAt: null,
  emptyTerminatedAt: null,
});
const freshness = {
  id: shipmentId,
  type: "freshness",
  attributes: {
    freshness: "fresh",
    last_attempted_at: "2026-10-03T00:00:00.000Z",
    last_succeeded_at: "2026-10-03T00:00:00.000Z",
    last_changed_at: "2026-10-02T00:00:00.000Z",
    answer_expected_by: null,
    news_expected_by: null,
  },
};

const origin = "http://api.test/v2";
/** What `get_container` reads, with the path of each. */
export const readsOfContainer = [
  `${origin}/containers/${containerId}`,
  `${origin}/container_overviews`,
  `${origin}/shipments/${shipmentId}/freshness`,
];
const bodies: readonly (readonly [part: string, body: string])[] = [
  ["/containers/", JSON.stringify({ data: container, included: [wireShipment(), wireTerminal()] })],
  ["/container_overviews", JSON.stringify({ data: [overview], meta: { total: 1, size: 1 } })],
  ["/freshness", JSON.stringify({ data: freshness })],
  ["/healthz", "{}"],
];
const headers = { "content-type": "application/vnd.api+json" };

globalThis.fetch = async (input) => {
  const address = String(input instanceof Request ? input.url : input);
  const found = bodies.find(([part]) => address.includes(part));
  if (!found) throw new Error(`The API in memory has no ${address}.`);
  return new Response(found[1], { headers });
};
