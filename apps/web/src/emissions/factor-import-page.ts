import type { ApiFault } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { accountLayout } from "../account/account-layout.ts";
import { formProblem, labelled, marks, type Problems } from "../forms/field.ts";
import { columnTable, templateLink } from "../forms/file-columns.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { faultTable } from "../tracking-requests/import-page.ts";
import { factorFileColumns } from "./factor-columns.ts";

const path = "/account/emissions/import";

const example = [factorFileColumns.map(({ name }) => name), factorFileColumns.map(({ example: value }) => value)]
  .map((line) => line.join(","))
  .join("\n");

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
        <p>The first line names the columns. A file is imported as a whole or not at all.</p>
        ${labelled({
          name: "file",
          label: "CSV file (up to 1,000 rows)",
          problems,
          hint: templateLink(`${path}/template.csv`),
          control: html`<input id="file" name="file" type="file" accept=".csv,.txt,text/csv"${marks(problems, "file", { hasHint: true })}>`,
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
      </form>
      ${columnTable(factorFileColumns)}
      ${sameFromApi(apiBaseUrl, [
        { method: "POST", path: "/emission_factor_imports", body: { csv: example }, mediaType: "application/json" },
      ])}`,
  });
}
