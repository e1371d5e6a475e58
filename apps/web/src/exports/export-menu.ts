import { type Html, html } from "@svc/views";
import type { Request } from "express";
import { menu, menuEntries } from "../pages/menu.ts";

const shownColumns = "file=shown";

/** Whether a file has only what the list shows. */
export const hasShownColumns = ({ query }: Request): boolean => query.file === "shown";

/** The files of a list and its print. `pathOf`: the address of a file, filtered and sorted as the list. */
export function exportMenu(pathOf: (ending: ".csv" | ".xlsx") => string): Html {
  const link = (path: string, kind: string, columns: string) =>
    html`<a href="${path}" download>${kind}<span class="hidden">, ${columns}</span></a>`;
  const shown = (path: string) => `${path}${path.includes("?") ? "&" : "?"}${shownColumns}`;
  const [excel, csv] = [pathOf(".xlsx"), pathOf(".csv")];
  const ofShown = [link(shown(excel), "Excel", "columns shown"), link(shown(csv), "CSV", "columns shown")];
  const ofAll = [link(excel, "Excel", "all columns"), link(csv, "CSV", "all columns")];
  return menu({
    id: "export-menu",
    label: "Export",
    content: html`<div class="menu">
      ${menuEntries(ofShown, "Columns shown")}
      ${menuEntries(ofAll, "All columns")}
      ${menuEntries(html`<button class="needs-script" type="button" data-prints>Print</button>`)}
    </div>`,
  });
}
