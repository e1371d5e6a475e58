import { factorColumns } from "@svc/jsonapi/emissions";
import type { ApiFault } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { accountLayout } from "../account/account-layout.ts";
import { formProblem, labelled, marks, type Problems } from "../forms/field.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { faultTable } from "../tracking-requests/import-page.ts";

const path = "/account/emissions/import";

/** Example without a value that anybody might take for a real one. */
const example = [
  factorColumns.join(","),
  "Example lane,well_to_wake,1.00,actual_distance,Your source,MAEU,CN KR JPTYO,NL DE,yes,,dry,2026-01-01,2026-12-31",
].join("\n");

/** `/account/emissions/import`: creates factors from a CSV file. */
export function factorImportPage(options: {
  readonly caller: SignedInCaller;
  readonly apiBaseUrl: string;
  readonly text: string;
  readonly problems: Problems;
  /** Faults of the file, with row and column. */
  readonly faults: readonly ApiFault[];
}): Html {
  const { caller, apiBaseUrl, text, problems, faults } = options;
  return accountLayout({
    title: "Import emission factors",
    caller,
    part: "emissions",
    isOfRecord: true,
    content: html`
      ${formProblem(problems)}
      ${faultTable(faults)}
      <form class="card form" method="post" action="${path}" enctype="multipart/form-data">
        <p>The first line names the columns.
          Required are name, energy_scope, grams_per_teu_km, distance_basis and source.
          Places are separated by spaces. A file is imported as a whole or not at all.</p>
        ${labelled({
          name: "file",
          label: "CSV file (up to 1,000 rows)",
          problems,
          control: html`<input id="file" name="file" type="file" accept=".csv,.txt,text/csv"${marks(problems, "file")}>`,
        })}
        ${labelled({
          name: "text",
          label: "Or paste",
          problems,
          control: html`<textarea id="text" name="text" rows="8" spellcheck="false" class="number"${marks(
            problems,
            "text",
          )}>${text}</textarea>`,
        })}
        <p class="actions"><button>Import</button> <a href="/account/emissions">Cancel</a></p>
        <details id="columns"><summary>Columns</summary>
          <p>${factorColumns.map((column) => html`<code>${column}</code> `)}</p>
          <pre tabindex="0">${example}</pre>
        </details>
      </form>
      ${sameFromApi(apiBaseUrl, [
        { method: "POST", path: "/emission_factor_imports", body: { csv: example }, mediaType: "application/json" },
      ])}`,
  });
}
