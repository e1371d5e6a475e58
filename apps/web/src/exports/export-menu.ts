import { type Html, html } from "@svc/views";
import type { Request } from "express";
import { menu, menuEntries } from "../pages/menu.ts";

const visibleColumnsParameter = "file=shown";

/** Whether a file has only what the list shows. */
export const hasVisibleColumnsOnly = ({ query }: Request): boolean => query.file === "shown";

/** The files of a list and its print. `pathOf`: the address of a file, filtered and sorted as the list. */
export function exportMenu(pathOf: (ending: ".csv" | ".xlsx") => string): Html {
  const link = (path: string, kind: string, columns: string) =>
    html`<a href="${path}" download>${kind}<span class="hidden">, ${columns}</span></a>`;
  const withVisibleColumns = (path: string) => `${path}${path.includes("?") ? "&" : "?"}${visibleColumnsParameter}`;
  const [excel, csv] = [pathOf(".xlsx"), pathOf(".csv")];
  const visibleColumnLinks = [
    link(withVisibleColumns(excel), "Excel", "columns shown"),
    link(withVisibleColumns(csv), "CSV", "columns shown"),
  ];
  const allColumnLinks = [link(excel, "Excel", "all columns"), link(csv, "CSV", "all columns")];
  return menu({
    id: "export-menu",
    label: "Export",
    content: html`<div class="menu">
      ${menuEntries(visibleColumnLinks, "Columns shown")}
      ${menuEntries(allColumnLinks, "All columns")}
      ${menuEntries(html`<button class="needs-script" type="button" data-prints>Print</button>`)}
    </div>`,
  });
}
