import { countText } from "@svc/domain";
import { importRowsMax } from "@svc/domain/event-imports";
import type { EventImportResource } from "@svc/jsonapi/event-imports";
import type { ApiFault } from "@svc/sdk";
import { formatNumber, type Html, html, listTable } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { formProblem, labelled, marks, type Problems } from "../forms/field.ts";
import { columnTable, templateLink } from "../forms/file-columns.ts";
import { type LivePage, part } from "../pages/live-page.ts";
import { type ApiCall, sameFromApi } from "../pages/same-from-api.ts";
import { eventColumns } from "./import-columns.ts";
import { liveTrackingLayout, trackingLayout } from "./track-page.ts";

/** The faults of a file with their rows and columns; nothing without faults. */
export function faultTable(faults: readonly ApiFault[]): Html | null {
  if (faults.length === 0) return null;
  const row = ({ meta, detail }: ApiFault) => html`
    <tr><th scope="row" data-label="Row">${typeof meta?.row === "number" ? meta.row : "file"}</th>
      <td data-label="Column">${typeof meta?.column === "string" ? html`<code>${meta.column}</code>` : "–"}</td>
      <td data-label="Problem">${detail}</td></tr>`;
  return html`
    <section class="card" role="alert" aria-labelledby="faults">
      <h2 id="faults">Nothing was imported</h2>
      <p class="muted">A file is imported as a whole or not at all.
        ${countText(faults.length, "problem")}:</p>
      ${listTable({ caption: "Problems of the file", columns: ["Row", "Column", "Problem"], rows: faults.map(row) })}
    </section>`;
}

/** `/track/import`: imports events of a carrier without an API from a file. */
export function importPage(options: {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly text: string;
  readonly problems: Problems;
  /** Faults of the file, with row and column. */
  readonly faults: readonly ApiFault[];
}): Html {
  const { caller, apiBaseUrl, text, problems, faults } = options;
  const csv = "scac,number,event_code,classifier,event_time\nSBXL,SBXDIR000123,DEPA,ACT,2026-03-05T17:45:00+08:00";
  const call: ApiCall = {
    method: "POST",
    path: "/event_imports",
    body: { csv },
    mediaType: "application/json",
  };
  return trackingLayout({
    title: "Import events",
    caller,
    way: "file",
    content: html`
      ${formProblem(problems)}
      ${faultTable(faults)}
      <form class="card form" method="post" action="/track/import" enctype="multipart/form-data">
        <p>Upload events for carriers without an API. Their numbers must be tracked already.
          <a href="/track/bulk">Track them first</a></p>
        ${labelled({
          name: "file",
          label: `CSV or JSON file (up to ${formatNumber(importRowsMax)} rows)`,
          problems,
          hint: templateLink("/track/import/template.csv"),
          control: html`<input id="file" name="file" type="file" accept=".csv,.txt,.json,text/csv,application/json"${marks(problems, "file", { hasHint: true })}>`,
        })}
        ${labelled({
          name: "text",
          label: "Or paste",
          problems,
          control: html`<textarea id="text" name="text" rows="8" spellcheck="false" class="number"${marks(problems, "text")}>${text}</textarea>`,
        })}
        <button>Import</button>
      </form>
      ${columnTable(eventColumns)}
      ${sameFromApi(apiBaseUrl, [call])}`,
  });
}

/** `/track/import/{id}`: the state of an import. */
export function importStatePage(caller: Caller, apiBaseUrl: string, { id, attributes }: EventImportResource): LivePage {
  const { status, events_count: events, applied_count: applied, new_facts_count: newFacts } = attributes;
  const isApplied = status === "applied";
  return liveTrackingLayout({
    title: "Import events",
    caller,
    way: "file",
    content: html`${part(
      "state",
      html`
      <section class="card" role="status">
        <h2>${isApplied ? "Imported" : "Received, being applied"}</h2>
        ${
          isApplied
            ? html`<dl>
          <div><dt>Events in the file</dt><dd>${events}</dd></div>
          <div><dt>For tracked numbers</dt><dd>${applied}</dd></div>
          <div><dt>Not known before</dt><dd>${newFacts}</dd></div>
        </dl>`
            : html`<p>The file is stored and is being applied.</p>`
        }
        <p><a href="/shipments?sort=-updated_at">Recently updated shipments</a></p>
      </section>`,
    )}
    ${sameFromApi(apiBaseUrl, [{ path: `/event_imports/${id}` }])}`,
  });
}
