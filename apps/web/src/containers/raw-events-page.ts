import { instant } from "@svc/domain";
import type { ContainerResource, RawEventResource } from "@svc/sdk";
import { comingEventLabel, eventLabel, type Html, html, listTable, localTime, sourceLabels } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { layout } from "../pages/layout.ts";
import { pageHead } from "../pages/page-head.ts";
import { neighbourLinks } from "../pages/page-links.ts";
import { sameFromApi } from "../pages/same-from-api.ts";

const classifierLabels: Readonly<Record<string, string>> = { PLN: "Planned", EST: "Estimated", ACT: "Actual" };

/** Labels of the event codes of DCSA and of terminals. */
const codeLabels: Readonly<Record<string, string>> = {
  ARRI: "arrival",
  DEPA: "departure",
  LOAD: "loading",
  DISC: "discharge",
  GTIN: "gate in",
  GTOT: "gate out",
  STUF: "stuffing",
  STRP: "stripping",
  PICK: "pick-up",
  DROP: "drop-off",
  INSP: "inspection",
  RSEA: "resealed",
  RMVD: "seal removed",
  RECE: "document received",
  CONF: "document confirmed",
  ISSU: "document issued",
  REJE: "document rejected",
  HOLD: "put on hold",
  RELS: "released",
  BERTH: "berthing",
};

export interface RawEventsPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly container: ContainerResource;
  readonly events: readonly RawEventResource[];
  /** Number of the page, from 1. */
  readonly number: number;
  readonly hasOlder: boolean;
}

function row({ attributes }: RawEventResource): Html {
  const { original_event, created_at, timestamp, timezone, time_precision, container_number, reason } = attributes;
  const { location_name, location_locode, facility_code, vessel_name, voyage_number, data_source, event } = attributes;
  const [, code = "", classifier = ""] = original_event.split(" ");
  const carried = [vessel_name, voyage_number].filter((part) => part).join(", ");
  return html`
    <tr><th scope="row" data-label="Reported">${localTime(instant(created_at), "UTC")}</th>
      <td data-label="Event">${classifierLabels[classifier]} ${codeLabels[code]} <code>${code}</code>
        ${container_number === null && html`<span class="muted">of the whole shipment</span>`}
        ${event && html`<span class="tag">${classifier === "ACT" ? eventLabel(event) : comingEventLabel(event)}</span>`}
        ${reason && html`<br><span class="muted">${reason}</span>`}</td>
      <td data-label="Time">${localTime(instant(timestamp), timezone, time_precision)}</td>
      <td data-label="Place">${location_name ?? location_locode ?? "–"} <span class="muted">${facility_code}</span></td>
      <td data-label="Carried by">${carried || "–"}</td>
      <td data-label="Source">${sourceLabels[data_source]}</td></tr>`;
}

/** `GET /containers/{id}/raw-events`: raw events of a container as the sources reported them, most recent first. */
export function rawEventsPage(options: RawEventsPageOptions): Html {
  const { caller, apiBaseUrl, container, events, number, hasOlder } = options;
  const path = `/containers/${container.id}/raw-events`;
  const { number: containerNumber } = container.attributes;
  return layout({
    title: `Raw carrier events of ${containerNumber}`,
    section: "containers",
    caller,
    content: html`
      ${pageHead({
        heading: html`Raw carrier events of <span class="number">${containerNumber}</span>`,
        path: html`<a href="/containers">Containers</a> /
          <a href="/containers/${container.id}">${containerNumber}</a> / Raw carrier events`,
      })}
      <p class="muted">Planned, estimated and actual events as the sources reported them, most recent first.
        A tag names the milestone.</p>
      ${
        events.length === 0
          ? html`<section class="card empty"><h2>No carrier events yet</h2></section>`
          : listTable({
              caption: "Raw carrier events, most recent first",
              columns: ["Reported", "Event", "Time", "Place", "Carried by", "Source"],
              rows: events.map(row),
            })
      }
      ${neighbourLinks({
        previous: number > 1 ? `${path}?page=${number - 1}` : null,
        next: hasOlder ? `${path}?page=${number + 1}` : null,
        label: ["← Newer", "Older →"],
      })}
      ${sameFromApi(apiBaseUrl, [{ path: `/containers/${container.id}/raw_events?sort=-created_at` }])}`,
  });
}
