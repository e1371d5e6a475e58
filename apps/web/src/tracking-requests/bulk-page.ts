import { type Html, html, listTable } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { checkbox } from "../forms/choices.ts";
import { formProblem, labelled, marks, type Problems } from "../forms/field.ts";
import { templateLink } from "../forms/file-columns.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import type { CarrierMenu } from "./carrier-menu.ts";
import { columnsNote, unusedColumns } from "./columns-note.ts";
import { type ColumnUse, numbersMax } from "./read-numbers.ts";
import { bulkCalls } from "./request-calls.ts";
import { carrierAndType, carrierOptions, tagsAndCustomer } from "./request-fields.ts";
import { trackingLayout } from "./track-page.ts";

export interface BulkForm {
  readonly numbers: string;
  readonly type: string;
  readonly carrier: string;
  readonly tags: string;
  /** Name of the customer; empty: none. */
  readonly customer: string;
  /** Names of the columns that the sender of a table knows are left out (`ignoredColumns`); empty: none. */
  readonly unused: string;
}

export const emptyBulkForm: BulkForm = { numbers: "", type: "auto", carrier: "", tags: "", customer: "", unused: "" };

/** Outcome of one row. */
export interface BulkRow {
  readonly row: number;
  readonly number: string;
  /** Null: requested; the carrier has not answered yet. */
  readonly refusal: Html | readonly Html[] | string | null;
  /** As which kind of number it was requested. */
  readonly requested: string;
  /** Problem with a number that was requested, or the reason why it waits. */
  readonly warning: Html | string | null;
}

export interface BulkPageOptions {
  readonly caller: Caller;
  readonly carriers: CarrierMenu;
  readonly customerNames: readonly string[];
  readonly form: BulkForm;
  readonly problems: Problems;
  /** Names in refused rows of which there is no customer. */
  readonly unknownCustomers: readonly string[];
  /** Containers in refused rows that shipments which are tracked now have. */
  readonly trackedContainers: readonly string[];
  /** What the columns of the table that was submitted are used as; null: it has no header. */
  readonly columns: readonly ColumnUse[] | null;
  /** Null before the form was sent. */
  readonly outcomes: readonly BulkRow[] | null;
  /** Idempotency key of the form, so that submitting it twice tracks each number once. */
  readonly onceKey: string;
  readonly apiBaseUrl: string;
}

function outcomeTable(outcomes: readonly BulkRow[], columns: BulkPageOptions["columns"]): Html {
  const tableRow = ({ row, number, refusal, requested, warning }: BulkRow) => html`
    <tr><th scope="row" data-label="Row">${row}</th>
      <td data-label="Number"><span class="number">${number === "" ? "–" : number}</span></td>
      <td data-label="Result">${
        refusal === null ? html`${requested} ${warning}` : html`<span class="late">Refused.</span> ${refusal}`
      }</td></tr>`;
  const refused = outcomes.filter(({ refusal }) => refusal !== null).length;
  const requested = outcomes.length - refused;
  return html`
    <section class="card" role="status" aria-labelledby="outcomes">
      <h2 id="outcomes">${requested} requested, ${refused} refused</h2>
      ${requested > 0 && html`<p>The carriers are queried now. <a href="/tracking-requests">See their replies</a></p>`}
      ${columnsNote(columns)}
      ${refused > 0 && html`<p class="muted">Correct the refused rows below and send them again.</p>`}
      ${listTable({ caption: "Results", columns: ["Row", "Number", "Result"], rows: outcomes.map(tableRow) })}
    </section>`;
}

/** `/track/bulk`: tracks numbers from a text or a file. */
export function bulkPage(options: BulkPageOptions): Html {
  const { caller, carriers, customerNames, unknownCustomers, form, problems, outcomes, onceKey, apiBaseUrl } = options;
  const { trackedContainers, columns } = options;
  const newNames = unknownCustomers.map((name) => `“${name}”`).join(", ");
  return trackingLayout({
    title: "Track many numbers",
    caller,
    way: "many",
    content: html`
      ${formProblem(problems)}
      ${outcomes ? outcomeTable(outcomes, columns) : columns && unusedColumns(columns)}
      <form class="card form" method="post" action="/track/bulk" enctype="multipart/form-data">
        <input type="hidden" name="once" value="${onceKey}">
        ${form.unused !== "" && html`<input type="hidden" name="unused" value="${form.unused}">`}
        ${labelled({
          name: "numbers",
          label: `Numbers, one per line (up to ${numbersMax})`,
          problems,
          hint: html`After a number you can add its SCAC and a reference: <code>SBXDIR000123, SBXL, PO-4711</code>.
            Or paste a table with a header: Number, Carrier, Customer, Reference. Common names, such as
            Container, Line, Consignee or PO, are recognised. You confirm before other columns
            are left out.`,
          control: html`<textarea id="numbers" name="numbers" rows="10" spellcheck="false" class="number"${marks(problems, "numbers", { hasHint: true })}>${form.numbers}</textarea>`,
        })}
        ${labelled({
          name: "file",
          label: "Or a file",
          problems,
          hint: html`CSV with the same columns or a header that names them, or JSON:
            <code>[{"number": "…", "scac": "…", "reference": "…"}]</code>
            ${templateLink("/track/bulk/template.csv")}`,
          control: html`<input id="file" name="file" type="file" accept=".csv,.txt,.json,text/csv,application/json"${marks(problems, "file", { hasHint: true })}>`,
        })}
        ${carrierAndType({
          form,
          problems,
          carrierLabel: "Default carrier",
          lines: carrierOptions(carriers, form.carrier),
        })}
        ${tagsAndCustomer({ form, problems, customerNames })}
        ${
          unknownCustomers.length > 0 &&
          checkbox("createCustomers", `Create the customers ${newNames}: the names are right`)
        }
        ${
          trackedContainers.length > 0 &&
          checkbox("separately", "Track these containers separately anyway", { value: trackedContainers.join(" ") })
        }
        <button>Track all</button>
      </form>
      ${sameFromApi(apiBaseUrl, bulkCalls)}`,
  });
}
