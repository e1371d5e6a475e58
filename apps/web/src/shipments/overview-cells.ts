import { type Instant, instantOrNull } from "@svc/domain";
import { isUnreported, overdueDays } from "@svc/domain/shipments";
import type { ContainerOverviewResource, ShipmentOverviewResource } from "@svc/sdk";
import { compactTime, type Html, html, shortDriftNote } from "@svc/views";
import { relativeTimestamp } from "../pages/timestamps.ts";

type ShipmentAttributes = ShipmentOverviewResource["attributes"];
type Attributes = ContainerOverviewResource["attributes"] | ShipmentAttributes;

/**
 * The vessel and voyage. Of a split shipment the number of vessels: its departure is that of the first one, its arrival
 * that of the last.
 */
function vesselText(attributes: Attributes): string {
  if ("vessels_total" in attributes && attributes.vessels_total > 1)
    return `${attributes.vessels_total} vessels · arrival of the last`;
  return [attributes.vessel_name, attributes.voyage_number].filter((part) => part !== null).join(" ");
}

/** Origin and destination by name, and below the port before an inland destination, the vessel and the UN/LOCODEs. */
export function routeCell(attributes: Attributes): Html {
  const { pol_name, pol_locode, pod_name, pod_locode, destination_locode, destination_name } = attributes;
  const end = destination_name ?? destination_locode ?? pod_name;
  if (pol_name === null && end === null)
    return html`<span class="muted">Not known${attributes.tracking_stopped_at === null && " yet"}</span>`;
  const [origin, destination] = [pol_name ?? "not known", `→ ${end ?? "not known"}`];
  const isInland = destination_locode !== null && destination_locode !== pod_locode;
  const codes = `${pol_locode ?? "–"} → ${pod_locode ?? "–"}${isInland ? ` → ${destination_locode}` : ""}`;
  const details = [isInland && pod_name !== null && `via ${pod_name}`, vesselText(attributes)]
    .filter(Boolean)
    .join(" · ");
  const ends = html`<span>${origin}</span> <span>${destination}</span>`;
  return html`<span class="one-line ends" title="${origin} ${destination}">${ends}</span>
    <span class="muted one-line" title="${[details, codes].filter(Boolean).join(" · ")}">${details || codes}</span>`;
}

/** IANA zone of the place of pickup: inland once the container has arrived there, otherwise the port of discharge. */
export const pickupZone = ({
  destination_ata_at,
  destination_timezone,
  pod_timezone,
}: Pick<Attributes, "destination_ata_at" | "destination_timezone" | "pod_timezone">): string | null =>
  (destination_ata_at && destination_timezone) ?? pod_timezone;

/** Time of arrival where the journey ends; that of the last container for a split shipment. */
export const lastArrival = (
  row: Pick<Attributes, "destination_ata_at" | "destination_eta_at" | "pod_ata_at" | "pod_eta_at">,
): string | null => row.destination_ata_at ?? row.destination_eta_at ?? row.pod_ata_at ?? row.pod_eta_at;

type Awaited = Parameters<typeof lastArrival>[0] &
  Pick<Attributes, "tracking_stopped_at" | "tracking_stopped_reason"> &
  ({ readonly full_out_at: string | null } | Pick<ShipmentAttributes, "containers_picked_up" | "containers_total">);

/** `overdueDays` of the arrivals of a row. */
export function rowOverdueDays(row: Awaited, now: Instant): number | null {
  const isOut =
    "full_out_at" in row
      ? row.full_out_at !== null
      : row.containers_total > 0 && row.containers_picked_up === row.containers_total;
  const place = (eta: string | null, ata: string | null) => ({
    etaAt: instantOrNull(eta),
    ataAt: instantOrNull(ata),
    originalEtaAt: null,
    timeZone: null,
  });
  const port = place(row.pod_eta_at, row.pod_ata_at);
  const destination = place(row.destination_eta_at, row.destination_ata_at);
  const isReported = row.tracking_stopped_at === null || isUnreported(row.tracking_stopped_reason);
  return overdueDays({ port, destination, isAwaited: !isOut && isReported }, now);
}

/** For how long the arrival is overdue; null: it is not. */
export function overdueNote(attributes: Attributes, now: Instant): Html | null {
  const overdue = rowOverdueDays(attributes, now);
  if (overdue === null) return null;
  // The arrival beside it is that at the inland destination.
  const isAtPort = attributes.pod_ata_at === null && attributes.destination_eta_at !== null;
  return html`<span class="late">${overdue} d overdue${isAtPort && " at the port"}</span>`;
}

/** For how long the arrival is overdue, and how late it is, if that differs; null: neither. */
export function delayNote(attributes: Attributes, now: Instant): Html | null {
  const { delay_days } = attributes;
  const overdue = overdueNote(attributes, now);
  if (overdue === null) return shortDriftNote(delay_days);
  const drift = delay_days === rowOverdueDays(attributes, now) ? null : shortDriftNote(delay_days);
  return html`${overdue}${drift && html` <span class="below">${drift}</span>`}`;
}

/** Whether `lastArrival` is an actual or an estimated one. Null: there is none. */
export function arrivalKind(row: Parameters<typeof lastArrival>[0]): "ATA" | "ETA" | null {
  if (lastArrival(row) === null) return null;
  const isInland = row.destination_eta_at !== null;
  return (row.destination_ata_at ?? (isInland ? null : row.pod_ata_at)) === null ? "ETA" : "ATA";
}

/** IANA zone of the place where the journey ends. */
export function arrivalZone(
  row: Pick<Attributes, "destination_ata_at" | "destination_eta_at" | "destination_timezone" | "pod_timezone">,
): string | null {
  const { destination_ata_at, destination_eta_at, destination_timezone, pod_timezone } = row;
  const isAtDestination = (destination_ata_at ?? destination_eta_at) !== null;
  return isAtDestination ? (destination_timezone ?? pod_timezone) : pod_timezone;
}

/** The arrival where the journey ends, local to that place. `now`: with how late it is; null: without. */
export function arrivalCell(attributes: Attributes, now: Instant | null = null): Html {
  const drift = now && shortDriftNote(attributes.delay_days);
  const kind = html`${arrivalKind(attributes) ?? "ETA"}${drift && html` · ${drift}`}`;
  // There is room for one note. "Overdue" replaces the kind and the delay, because it implies a late estimate.
  const at = instantOrNull(lastArrival(attributes));
  return compactTime(at, arrivalZone(attributes), (now && overdueNote(attributes, now)) ?? kind);
}

/** When the carrier last reported a change, by its age. `exact`: shown behind the age. */
export function updatedCell(lastChangedAt: string | null, now: Instant, exact: Html | null = null): Html {
  if (lastChangedAt === null)
    return html`<span class="muted none" title="The carrier has reported nothing yet">–</span>`;
  const age = relativeTimestamp(lastChangedAt, Date.parse(now));
  return exact === null ? age : html`<span class="age-and-time">${age} ${exact}</span>`;
}
