import { type Instant, instant } from "@svc/domain";
import type { ContainerOverviewResource, ShipmentOverviewResource } from "@svc/sdk";
import { compactTime, type Html, html } from "@svc/views";
import { moment } from "../pages/moment.ts";

type Attributes = (ContainerOverviewResource | ShipmentOverviewResource)["attributes"];

export const timeOf = (text: string | null): Instant | null => (text === null ? null : instant(text));

/** The vessel and voyage; only the number of vessels for a split shipment, whose departure is that of the first one. */
function vesselText(attributes: Attributes): string {
  if ("vessels_total" in attributes && attributes.vessels_total > 1) return `${attributes.vessels_total} vessels`;
  return [attributes.vessel_name, attributes.voyage_number].filter((part) => part !== null).join(" ");
}

/** Origin and destination by name, and below by UN/LOCODE with the vessel. */
export function routeCell(attributes: Attributes): Html {
  const { pol_name, pol_locode, pod_name, pod_locode, destination_locode, destination_name } = attributes;
  const end = destination_name ?? destination_locode ?? pod_name;
  if (pol_name === null && end === null) return html`<span class="muted">Not known yet</span>`;
  const names = `${pol_name ?? "not known"} → ${end ?? "not known"}`;
  const vessel = vesselText(attributes);
  const inland = destination_locode !== null && destination_locode !== pod_locode ? ` → ${destination_locode}` : "";
  const codes = `${pol_locode ?? "–"} → ${pod_locode ?? "–"}${inland}`;
  return html`<span class="one-line" title="${names}">${names}</span>
    <span class="muted one-line" title="${vessel}">${codes}${vessel && ` · ${vessel}`}</span>`;
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
  of: Pick<Attributes, "destination_ata_at" | "destination_eta_at" | "pod_ata_at" | "pod_eta_at">,
): string | null => of.destination_ata_at ?? of.destination_eta_at ?? of.pod_ata_at ?? of.pod_eta_at;

/** The arrival where the journey ends, local to that place. `note`: behind ATA or ETA. */
export function arrivalCell(attributes: Attributes, note: Html | null = null): Html {
  const { pod_ata_at, destination_ata_at, destination_eta_at, pod_timezone } = attributes;
  const isAtDestination = (destination_ata_at ?? destination_eta_at) !== null;
  const hasArrived = (isAtDestination ? destination_ata_at : pod_ata_at) !== null;
  const zone = isAtDestination ? (attributes.destination_timezone ?? pod_timezone) : pod_timezone;
  return compactTime(
    timeOf(lastArrival(attributes)),
    zone,
    html`${hasArrived ? "ATA" : "ETA"}${note && html` · ${note}`}`,
  );
}

/** When the carrier last reported a change, by its age. `exact`: shown behind the age. */
export function updatedCell(lastChangedAt: string | null, now: Instant, exact: Html | null = null): Html {
  if (lastChangedAt === null) return html`<span class="muted" title="The carrier has reported nothing yet">–</span>`;
  const age = moment(lastChangedAt, Date.parse(now));
  return exact === null ? age : html`<span class="age-and-time">${age} ${exact}</span>`;
}
