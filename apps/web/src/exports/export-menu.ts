import { type Html, html } from "@svc/views";
import type { Request } from "express";

const shownColumns = "file=shown";

/** Whether a file has only what the list shows. */
export const hasShownColumns = ({ query }: Request): boolean => query.file === "shown";

/** The files of a list. `pathOf`: the address of the file with an ending, filtered and sorted as the list. */
export function exportMenu(pathOf: (ending: ".csv" | ".xlsx") => string): Html {
  const link = (path: string, words: string) => html`<a href="${path}" download>${words}</a>`;
  const shown = (path: string) => `${path}${path.includes("?") ? "&" : "?"}${shownColumns}`;
  return html`
    <details class="popover" id="export-menu" data-closes><summary>Export</summary>
      <div class="menu">
        <p>Columns shown<br>${link(shown(pathOf(".xlsx")), "Excel, columns shown")}
          ${link(shown(pathOf(".csv")), "CSV, columns shown")}</p>
        <p>All columns<br>${link(pathOf(".xlsx"), "Export Excel")} ${link(pathOf(".csv"), "Export CSV")}</p>
      </div></details>`;
}
