import type { ChecklistItem } from "./checklist-item.ts";
import { type Coverage, cell } from "./coverage.ts";

const link = (file: string): string =>
  `[${file.split("/").at(-1)}](${file.replace(/^docs\/|^/, (start) => (start ? "" : "../"))})`;

function proof({ requirement: { notYet, elsewhere }, tests }: Coverage["rows"][number]): string {
  if (notYet !== undefined) return `*No test: ${cell(notYet)}*`;
  const files = [...new Set([...tests.map(({ file }) => file), ...(elsewhere === undefined ? [] : [elsewhere])])];
  return files.map(link).join(", ");
}

/** docs/api-checklist.md. */
export function renderChecklist(checklist: readonly ChecklistItem[], { rows }: Coverage): string {
  const rowById = new Map(rows.map((row) => [row.requirement.id, row]));
  const sections = Map.groupBy(checklist, ({ section }) => section);
  return [
    "# Checklist of the HTTP API",
    "",
    "What JSON:API 1.1 and good practice ask of a server, what this one does, and the tests that show it. Made by",
    "`node tests/spec/render-coverage.ts` from [the list](../tests/spec/json-api-checklist.ts) and",
    "[the practices and goals](../tests/spec/practice-checklist.ts); tests cite as `[spec: J12]`.",
    ...[...sections].flatMap(([heading, sectionRows]) => [
      "",
      `## ${heading}`,
      "",
      "| Id | Asked | Answer | Proof |",
      "|---|---|---|---|",
      ...sectionRows.flatMap((item) => {
        const row = rowById.get(item.id);
        return row ? [`| ${item.id} | ${cell(item.behaviour)} | ${cell(item.answer)} | ${proof(row)} |`] : [];
      }),
    ]),
    "",
  ].join("\n");
}
