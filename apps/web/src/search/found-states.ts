import type { Instant } from "@svc/domain";
import type { Client, ContainerOverviewResource, SearchResultResource, ShipmentOverviewResource } from "@svc/sdk";
import { containerBadge, dayMark, type Html, html, shipmentBadge, shortDriftNote } from "@svc/views";
import { optionalPartMs } from "../access/api-clients.ts";
import { containerBadgeFacts } from "../containers/list-row.ts";
import { orNull } from "../http/or-null.ts";
import { urgentLastFreeDay } from "../shipments/last-free-day.ts";
import { shipmentBadgeFacts } from "../shipments/list-row.ts";
import { arrivalKind, arrivalZone, lastArrival, overdueNote } from "../shipments/overview-cells.ts";

type Attributes = ContainerOverviewResource["attributes"] | ShipmentOverviewResource["attributes"];

const isContainer = (attributes: Attributes): attributes is ContainerOverviewResource["attributes"] =>
  "container_number" in attributes;

const pageSize = 100;

/** Reads the rows that lists have of the shipments and containers that were found, by their ids. */
async function readOverviews(api: Client, found: readonly SearchResultResource[]) {
  const [shipments, containers] = ["shipment", "cargo"].map((kind) =>
    found.filter(({ attributes }) => attributes.entity_type === kind),
  ) as [SearchResultResource[], SearchResultResource[]];
  const options = { timeoutMs: optionalPartMs };
  const ofShipments = { shipment: shipments.map(({ id }) => id) };
  const ofContainers = {
    shipment: [...new Set(containers.flatMap(({ attributes }) => attributes.shipment_id ?? []))],
    number: [...new Set(containers.map(({ attributes }) => attributes.number))],
  };
  const rows = await Promise.all([
    shipments.length > 0 && orNull(api.overviews.shipments({ filter: ofShipments, pageSize }, options)),
    containers.length > 0 && orNull(api.overviews.containers({ filter: ofContainers, pageSize }, options)),
  ]);
  return rows.flatMap((document): readonly { readonly id: string; readonly attributes: Attributes }[] =>
    document ? document.data : [],
  );
}

/** Its state as in lists, and what is most urgent: a last free day that is near or over, or else its arrival. */
function stateOf(attributes: Attributes, now: Instant): Html {
  const badge = isContainer(attributes)
    ? containerBadge(containerBadgeFacts(attributes, now))
    : shipmentBadge(shipmentBadgeFacts(attributes, now));
  const zone = isContainer(attributes) ? attributes.last_free_day_timezone : attributes.pod_timezone;
  const isOut = isContainer(attributes) && attributes.full_out_at !== null;
  const lastFreeDay = isOut ? null : urgentLastFreeDay(attributes.last_free_day, now, zone);
  const at = lastArrival(attributes);
  const kind = arrivalKind(attributes);
  // The last ETA of a stopped shipment says nothing.
  const isKnown = at !== null && (kind === "ATA" || attributes.tracking_stopped_at === null);
  const late = overdueNote(attributes, now) ?? shortDriftNote(attributes.delay_days);
  const day = isKnown && html`<span class="muted">${kind} ${dayMark(Date.parse(at), arrivalZone(attributes))}</span>`;
  return html`${badge} ${lastFreeDay ?? html`${day}${late && html` · ${late}`}`}`;
}

/** What a list shows of a record beside what the search has found. */
export interface FoundState {
  readonly state: Html;
  /** Vessel, and of a container the B/L or booking number of its shipment. */
  readonly facts: readonly string[];
}

const factsOf = (attributes: Attributes): string[] =>
  [isContainer(attributes) ? attributes.bill_of_lading_number : null, attributes.vessel_name].filter(
    (fact) => fact !== null,
  );

/** The states of the records that were found, by their ids; without those that could not be read. */
export async function readStates(
  api: Client,
  found: readonly SearchResultResource[],
  now: Instant,
): Promise<ReadonlyMap<string, FoundState>> {
  const rows = await readOverviews(api, found);
  return new Map(
    rows.map(({ id, attributes }) => [id, { state: stateOf(attributes, now), facts: factsOf(attributes) }]),
  );
}
