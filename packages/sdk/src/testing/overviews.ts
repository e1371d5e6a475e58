import { instant } from "@svc/domain";
import { containerOverviewResource, shipmentOverviewResource } from "@svc/jsonapi/overviews";

interface Texts {
  readonly shipmentId: string;
  readonly refNumbers: readonly string[];
  readonly number: string;
}

const shared = ({ shipmentId, refNumbers }: Texts) => ({
  id: shipmentId,
  billOfLadingNumber: "MAEU123456789",
  shippingLineScac: "MAEU",
  refNumbers,
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
  freshness: "fresh" as const,
  lastChangedAt: instant("2026-10-03T00:00:00Z"),
  lineTrackingStoppedAt: null,
  lineTrackingStoppedReason: null,
  lastEvent: "vessel_departed",
  lastEventAt: instant("2026-10-02T00:00:00Z"),
  lastEventLocode: "CNSHA",
  createdAt: instant("2026-09-30T00:00:00Z"),
  updatedAt: instant("2026-10-03T00:00:00Z"),
});

export const wireContainerOverview = (id: string, texts: Texts) =>
  containerOverviewResource({
    ...shared(texts),
    id,
    number: texts.number,
    shipmentId: texts.shipmentId,
    status: "on_ship",
    availableForPickup: false,
    holds: [{ name: "customs", status: "hold", description: null }],
    fees: [{ type: "demurrage", amount: 120, currencyCode: "USD" }],
    lastFreeDay: "2026-10-25",
    lastFreeDayTimezone: "Europe/Amsterdam",
    lastFreeDaySource: "terminal",
    charges: [],
    pickupAppointmentAt: null,
    equipment: "40 dry high_cube",
    podDischargedAt: null,
    fullOutAt: null,
    emptyTerminatedAt: null,
    chargedExceptions: null,
    delayException: null,
  });

export const wireShipmentOverview = (texts: Texts) =>
  shipmentOverviewResource({
    ...shared(texts),
    status: "in_transit",
    containersTotal: 1,
    containerNumbers: [texts.number],
    containersArrived: 0,
    vesselsTotal: 1,
    containersAvailable: 0,
    containersOnHold: 1,
    containersOnRail: 0,
    containersPickedUp: 0,
    containersReturned: 0,
    lastFreeDay: "2026-10-25",
  });

export const wireFreshness = (shipmentId: string) => ({
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
});
