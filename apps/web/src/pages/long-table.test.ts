import { expect, test } from "@jest/globals";
import { html } from "@svc/views";
import { longTable } from "./long-table.ts";

test("offers the rest of a table of more than five rows, and nothing of a shorter one", () => {
  const table = html`<table></table>`;
  expect(String(longTable(table, { id: "all-changes", count: 6 }))).toContain(
    '<details class="more-rows" id="all-changes"><summary>All 6 rows</summary></details>',
  );
  expect(String(longTable(table, { id: "all-changes", count: 5 }))).not.toContain("details");
});
