import { ediFileStatuses, ediPartnerNames } from "@svc/jsonapi/edi-files";
import type { ListDocument, ListedEdiFileResource } from "@svc/sdk";
import { type Html, html, listTable } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { choice, option } from "../forms/choices.ts";
import { carrierChoices } from "../forms/code-choices.ts";
import { formProblem, labelled, marks, type Problems } from "../forms/field.ts";
import { pageLinks } from "../pages/page-links.ts";
import { type ApiCall, apiQuery, sameFromApi } from "../pages/same-from-api.ts";
import { exactTimestamp } from "../pages/timestamps.ts";
import { withWordBreaks } from "../pages/word-breaks.ts";
import type { CarrierChoice } from "../tracking-requests/carrier-menu.ts";
import { trackingLayout } from "../tracking-requests/track-page.ts";
import { ediPartnerLabel, ediStatusLabels } from "./edi-labels.ts";

export interface EdiFilter {
  readonly status: (typeof ediFileStatuses)[number] | null;
  readonly hasFaults: boolean;
}

export interface EdiForm {
  readonly text: string;
  readonly partner: string;
  readonly scac: string;
}

export const emptyEdiForm: EdiForm = { text: "", partner: "standard", scac: "" };

function listPath({ status, hasFaults }: EdiFilter, number = 1): string {
  const parameters = { status, faults: hasFaults ? "yes" : null, page: number > 1 ? String(number) : null };
  return `/track/edi${apiQuery(parameters)}`;
}

function row({ id, attributes }: ListedEdiFileResource): Html {
  const { name, status, sender, partner } = attributes;
  const faults = attributes.faults_count;
  return html`
    <tr>
      <th scope="row" data-label="File">
        <a class="row-link" href="/track/edi/${id}">${withWordBreaks(name ?? id)}</a></th>
      <td data-label="Status">${ediStatusLabels[status]}</td>
      <td data-label="Sender">${sender ? withWordBreaks(sender) : html`<span class="muted">–</span>`}
        <span class="muted">${ediPartnerLabel(partner)}</span></td>
      <td data-label="Applied">${attributes.applied_count} of ${attributes.events_count}</td>
      <td data-label="Faults">${faults > 0 ? html`<span class="late">${faults}</span>` : "0"}</td>
      <td data-label="Received">${exactTimestamp(attributes.created_at)}</td>
    </tr>`;
}

function uploadForm({ partner, scac, text }: EdiForm, lines: readonly CarrierChoice[], problems: Problems): Html {
  const profile = (name: string) => option(name, ediPartnerLabel(name), partner);
  return html`
    <form class="card form" method="post" action="/track/edi" enctype="multipart/form-data">
      <h2>Upload a file</h2>
      <p>X12 315, 322 and 301, EDIFACT IFTSTA, CODECO and COARRI, up to 20 MiB.</p>
      ${labelled({
        name: "file",
        label: "File",
        problems,
        control: html`<input id="file" name="file" type="file"${marks(problems, "file")}>`,
      })}
      ${labelled({
        name: "text",
        label: "Or paste",
        problems,
        control: html`<textarea id="text" name="text" rows="4" spellcheck="false" class="number"${marks(problems, "text")}>${text}</textarea>`,
      })}
      ${labelled({
        name: "partner",
        label: "Code list",
        problems,
        control: html`<select id="partner" name="partner"${marks(problems, "partner")}>
          ${ediPartnerNames.map(profile)}</select>`,
      })}
      ${choice({ name: "scac", label: "Default carrier", chosen: scac, problems }, carrierChoices(lines, scac, "None"))}
      <button>Upload</button>
    </form>`;
}

/** `/track/edi`: the account's EDI files, and a form to upload one. */
export function ediFilesPage(options: {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly files: ListDocument<ListedEdiFileResource>;
  readonly filter: EdiFilter;
  readonly number: number;
  readonly form: EdiForm;
  readonly lines: readonly CarrierChoice[];
  readonly problems: Problems;
}): Html {
  const { caller, apiBaseUrl, files, filter, number, form, lines, problems } = options;
  const chip = (label: string, to: EdiFilter) => {
    const isCurrent = to.status === filter.status && to.hasFaults === filter.hasFaults;
    return html`<a href="${listPath(to)}"${isCurrent && html` aria-current="true"`}>${label}</a>`;
  };
  const list = listTable({
    className: "names",
    caption: "EDI files, the newest first",
    columns: ["File", "Status", "Sender", "Events applied", "Faults", "Received"],
    rows: files.data.map(row),
  });
  const read: ApiCall = {
    path: `/edi_files${apiQuery({
      "filter[status]": filter.status,
      "filter[has_faults]": filter.hasFaults ? "true" : null,
    })}`,
  };
  const sent: ApiCall = { method: "POST", path: "/edi?partner=standard", file: "status.edi", mediaType: "text/plain" };
  const isFiltered = filter.status !== null || filter.hasFaults;
  return trackingLayout({
    title: "EDI files",
    caller,
    way: "edi",
    content: html`
      ${formProblem(problems)}
      <nav class="chips" aria-label="Files">
        ${chip("All", { status: null, hasFaults: false })}
        ${ediFileStatuses.map((status) => chip(ediStatusLabels[status], { status, hasFaults: false }))}
        ${chip("With faults", { status: null, hasFaults: true })}
      </nav>
      ${
        files.data.length > 0
          ? list
          : html`<p>${isFiltered ? "No files match." : "No files yet."}
              <span class="muted">Files that arrive over SFTP, by email or in a folder are listed here, too.</span></p>`
      }
      ${pageLinks({ number, hasMore: Boolean(files.links?.next), addressOf: (next) => listPath(filter, next) })}
      ${may(caller, "exchange_edi") && uploadForm(form, lines, problems)}
      ${sameFromApi(apiBaseUrl, [read, sent])}`,
  });
}
