import type { Container } from "@svc/domain/containers";
import type { Page } from "@svc/domain/lists";
import type { RawEventRecord } from "@svc/persistence/transport-events";
import { sourceWords } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { type Html, html } from "../http/html.ts";
import { layout } from "../pages/layout.ts";
import { listTable } from "../pages/list-table.ts";
import { neighbourLinks } from "../pages/page-links.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { localTime } from "../shipments/local-time.ts";
import { eventWords } from "../shipments/words.ts";

const classifierWords = { PLN: "Planned", EST: "Estimated", ACT: "Actual" } as const;

/** Labels of the event codes of DCSA and of terminals. */
const codeWords: Readonly<Record<string, string>> = {
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
  readonly container: Container;
  readonly page: Page<RawEventRecord>;
  /** URL of the page with older events; null on the last page. */
  readonly older: string | null;
}

function row({ fact, observedAt, event, timeZone }: RawEventRecord): Html {
  const { place, call } = fact;
  const carried = [call?.vessel?.name, call?.exportVoyage ?? call?.importVoyage].filter((part) => part).join(", ");
  return html`
    <tr><th scope="row" data-label="Reported">${localTime(observedAt, "UTC")}</th>
      <td data-label="Event">${classifierWords[fact.classifier]} ${codeWords[fact.code]} <code>${fact.code}</code>
        ${fact.containerNumber === null && html`<span class="muted">of the whole shipment</span>`}
        ${fact.reason && html`<br><span class="muted">${fact.reason}</span>`}</td>
      <td data-label="Time">${localTime(fact.eventAt, timeZone, fact.timePrecision)}</td>
      <td data-label="Place">${place.name ?? place.locode ?? "–"} <span class="muted">${place.facilityCode}</span></td>
      <td data-label="Carried by">${carried || "–"}</td>
      <td data-label="Source">${sourceWords[fact.dataSource]}
        ${event && html`<span class="tag">${eventWords(event)}</span>`}</td></tr>`;
}

/** `GET /containers/{id}/raw-events`: raw events of a container as the sources reported them, most recent first. */
export function rawEventsPage({ caller, apiBaseUrl, container, page, older }: RawEventsPageOptions): Html {
  return layout({
    title: `Raw carrier events of ${container.number}`,
    caller,
    jumpBox: true,
    content: html`
      <p class="muted"><a href="/shipments">Shipments</a> /
        <a href="/containers/${container.id}">${container.number}</a> / Raw carrier events</p>
      <h1>Raw carrier events of <span class="number">${container.number}</span></h1>
      <p class="muted">Planned, estimated and actual events as the sources reported them, most recent first.
        A tag names the milestone that was derived from a fact.</p>
      ${
        page.items.length === 0
          ? html`<section class="card empty"><h2>No carrier events yet</h2></section>`
          : listTable({
              caption: "Raw carrier events, most recent first",
              columns: ["Reported", "Event", "Time", "Place", "Carried by", "Source"],
              rows: page.items.map(row),
            })
      }
      ${neighbourLinks({ previous: null, next: older, words: ["", "Older →"] })}
      ${sameFromApi(apiBaseUrl, [{ path: `/containers/${container.id}/raw_events` }])}`,
  });
}
