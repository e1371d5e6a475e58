import type { EdiFileResource } from "@svc/sdk";
import { type Html, html, listTable } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { fact } from "../pages/fact.ts";
import { type LivePage, part } from "../pages/live-page.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { exactTimestamp } from "../pages/timestamps.ts";
import { withWordBreaks } from "../pages/word-breaks.ts";
import { liveTrackingLayout } from "../tracking-requests/track-page.ts";
import { ediPartnerLabel, ediStatusLabels } from "./edi-labels.ts";

type Attributes = EdiFileResource["attributes"];

/** A table with its heading; nothing without rows. `count`: of all, of which the rows may be the first. */
function section(title: string, count: number, columns: readonly string[], rows: readonly Html[]): Html | null {
  if (rows.length === 0) return null;
  const more = count > rows.length ? html`<p class="muted">The first ${rows.length} of ${count}.</p>` : null;
  return html`<section class="card"><h2>${title}</h2>${more}${listTable({ caption: title, columns, rows })}</section>`;
}

function faults({ faults_count: count, faults }: Attributes): Html | null {
  const row = ({ line, tag, element, message, detail }: Attributes["faults"][number]) => html`
    <tr><th scope="row" data-label="Line">${line}</th>
      <td data-label="Place">${tag ? html`<code>${tag}${element === null ? "" : `-${element}`}</code>` : "–"}</td>
      <td data-label="Message">${message ? withWordBreaks(message) : "–"}</td>
      <td data-label="Fault">${detail}</td></tr>`;
  return section("Faults", count, ["Line", "Place", "Message", "Fault"], faults.map(row));
}

function unmapped({ unmapped_codes: codes }: Attributes): Html | null {
  const row = ({ message_type: type, code, count, line }: Attributes["unmapped_codes"][number]) => html`
    <tr><th scope="row" data-label="Code">${code === null ? "This type is not read" : html`<code>${code}</code>`}</th>
      <td data-label="Message">${type}</td>
      <td data-label="Number">${count}</td>
      <td data-label="First line">${line}</td></tr>`;
  const title = "Codes without a meaning in the profile";
  return section(title, codes.length, ["Code", "Message", "Number", "First line"], codes.map(row));
}

function notes({ notes_count: count, notes }: Attributes): Html | null {
  const row = ({
    message_type: type,
    code,
    meaning,
    container_number: containerNumber,
    line,
  }: Attributes["notes"][number]) => html`
    <tr><th scope="row" data-label="Line">${line}</th>
      <td data-label="Status"><code>${type} ${code}</code></td>
      <td data-label="Meaning">${meaning}</td>
      <td data-label="Container">${containerNumber ?? "–"}</td></tr>`;
  return section("Statuses that are no events", count, ["Line", "Status", "Meaning", "Container"], notes.map(row));
}

function acknowledgementLink(id: string, { acknowledgement, syntax }: Attributes): Html | null {
  if (acknowledgement === null) return null;
  const kind = syntax === "x12" ? "997" : "CONTRL";
  return html` · <a href="/track/edi/${id}/acknowledgement">Download the acknowledgement (${kind})</a>`;
}

function outcome(id: string, attributes: Attributes): Html {
  const { status, sender, control_number: controlNumber, duplicate_of: duplicateOf } = attributes;
  const earlier = duplicateOf && html`<a href="/track/edi/${duplicateOf}">an earlier file</a>`;
  const way = { api: "sent", folder: "in the folder", sftp: "over SFTP", mail: "by mail" }[attributes.source];
  const counts = html`
    ${fact("Messages", attributes.messages_count)}
    ${fact("Events", attributes.events_count)}
    ${fact("Events applied", attributes.applied_count)}
    ${fact("Not known before", attributes.new_facts_count)}
    ${fact("Of numbers that are not tracked", attributes.untracked_count)}
    ${fact("Without a carrier", attributes.without_carrier_count)}
    ${fact("Faults", attributes.faults_count)}`;
  return html`
    <section class="card" role="status">
      <h2>${ediStatusLabels[status]}</h2>
      ${status === "rejected" && html`<p>Nothing of the file was applied.</p>`}
      ${status === "received" && html`<p>The file is stored and is being processed.</p>`}
      <dl>
        ${fact("Sender", sender && withWordBreaks(sender))}
        ${fact("Control number", controlNumber && withWordBreaks(controlNumber))}
        ${fact("Same control number as", earlier)}
        ${fact("Code list", ediPartnerLabel(attributes.partner))}
        ${fact("Default carrier", attributes.scac)}
        ${fact("Received", html`${exactTimestamp(attributes.created_at)}, ${way}`)}
        ${fact("Bytes", attributes.size_bytes)}
        ${status !== "received" && counts}
      </dl>
      <p><a href="/track/edi/${id}/content">Download the file</a>${acknowledgementLink(id, attributes)}</p>
    </section>`;
}

/** `/track/edi/{id}`: what became of a file. */
export function ediFilePage(caller: Caller, apiBaseUrl: string, { id, attributes }: EdiFileResource): LivePage {
  return liveTrackingLayout({
    title: attributes.name ?? "EDI file",
    caller,
    way: "edi",
    isPending: attributes.status === "received",
    content: html`
      ${part("outcome", [outcome(id, attributes), faults(attributes), unmapped(attributes), notes(attributes)])}
      ${sameFromApi(apiBaseUrl, [{ path: `/edi_files/${id}` }])}`,
  });
}
