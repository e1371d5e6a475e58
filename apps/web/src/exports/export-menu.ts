import { type Html, html } from "@svc/views";
import type { Request } from "express";
import { menu, menuEntries } from "../pages/menu.ts";

const shownColumns = "file=shown";

/** Whether a file has only what the list shows. */
export const hasShownColumns = ({ query }: Request): boolean => query.file === "shown";

/** The files of a list. `pathOf`: the address of the file with an ending, filtered and sorted as the list. */
export function exportMenu(pathOf: (ending: ".csv" | ".xlsx") => string): Html {
  const link = (path: string, words: Html) => html`<a href="${path}" download>${words}</a>`;
  const shown = (path: string) => `${path}${path.includes("?") ? "&" : "?"}${shownColumns}`;
  const ofShown = html`<span class="hidden">, columns shown</span>`;
  const toAll = html`<span class="hidden">Export </span>`;
  const ofAll = [link(pathOf(".xlsx"), html`${toAll}Excel`), link(pathOf(".csv"), html`${toAll}CSV`)];
  return menu({
    id: "export-menu",
    words: "Export",
    content: html`<div class="menu">
      ${menuEntries(
        [link(shown(pathOf(".xlsx")), html`Excel${ofShown}`), link(shown(pathOf(".csv")), html`CSV${ofShown}`)],
        "Columns shown",
      )}
      ${menuEntries(ofAll, "All columns")}
    </div>`,
  });
}
