import { z } from "zod";
import { derived, type RecordOf, type ValueOf } from "../records/field-table.ts";
import { terminalKinds } from "../reference-data/terminal.ts";

/** Why tracking at the shipping line stopped (docs/contract/specification.md, Shipment, attributes). */
export const stopReasons = [
  "all_containers_terminated",
  "past_arrival_window",
  "past_full_out_window",
  "no_updates_at_line",
  "cancelled_by_user",
  "booking_cancelled",
] as const;

export type StopReason = (typeof stopReasons)[number];

/** Why tracking ended, for a reader who does not know the names of the API. */
export const stopReasonLabels: Readonly<Record<StopReason, string>> = {
  all_containers_terminated: "all containers returned",
  past_arrival_window: "no movement long after arrival",
  past_full_out_window: "no return long after pickup",
  no_updates_at_line: "the carrier stopped sending updates",
  cancelled_by_user: "stopped by a user",
  booking_cancelled: "booking cancelled",
};

/** Reasons for which tracking stops although the voyage may go on: nothing more was reported of it. */
export const unreportedStops = ["past_arrival_window", "no_updates_at_line"] as const satisfies readonly StopReason[];

/** Whether tracking stopped because nothing more was reported, which ends neither charges nor an overdue arrival. */
export const isUnreported = (reason: StopReason | null): boolean => unreportedStops.some((one) => one === reason);

/** A place with its display names. */
const place = z.object({
  id: z.uuid(),
  kind: z.enum(["port", "metro_area"]),
  locode: z.string(),
  name: z.string(),
  timeZone: z.string().nullable(),
});
export const terminalReference = z.object({ id: z.uuid(), kind: z.enum(terminalKinds) });

export type Place = ValueOf<typeof place>;
export type TerminalReference = ValueOf<typeof terminalReference>;

const text = z.string().nullable();
const time = z.iso.datetime().nullable();

/**
 * docs/contract/specification.md, Shipment; the last two `original` estimates are from docs/contract/reference.md 2.1.
 * Places and the vessel are derived too, by names that persistence resolves to rows.
 */
export const shipmentFields = {
  id: z.uuid(),
  billOfLadingNumber: z.string(),
  normalizedNumber: z.string().describe("Normalized form of the shipment number, used to query the carrier."),
  refNumbers: z.array(z.string()),
  createdAt: z.iso.datetime(),
  tags: z.array(z.string()),
  note: text.describe("Note of the account's members. Public links do not show it."),
  portOfLading: place.nullable(),
  portOfDischarge: place.nullable(),
  destination: place.nullable(),
  shippingLineScac: z.string(),
  shippingLineName: z.string(),
  shippingLineShortName: z.string(),
  customerName: text,
  podVesselName: text,
  podVesselImo: text,
  podVoyageNumber: derived(text),
  polEtdAt: derived(time.describe("Estimated departure at the port of lading.")),
  polAtdAt: derived(time.describe("Actual departure at the port of lading.")),
  podEtaAt: derived(time.describe("Estimated arrival at the port of discharge.")),
  podOriginalEtaAt: derived(time),
  podAtaAt: derived(time.describe("Actual arrival at the port of discharge.")),
  destinationEtaAt: derived(time),
  destinationAtaAt: derived(time),
  lineTrackingLastAttemptedAt: time,
  lineTrackingLastSucceededAt: time,
  lineTrackingStoppedAt: time,
  lineTrackingStoppedReason: z.enum(stopReasons).nullable(),
  polOriginalEtdAt: derived(time),
  destinationOriginalEtaAt: derived(time),
  podTerminal: terminalReference.nullable(),
  destinationTerminal: terminalReference.nullable(),
  lineTrackingStoppedByUserId: z.uuid().nullable(),
  containerIds: z.array(z.uuid()),
  rowVersion: z.number().int(),
  updatedAt: z.iso.datetime(),
};

/** A shipment as the account sees it. */
export interface Shipment extends RecordOf<typeof shipmentFields> {}
