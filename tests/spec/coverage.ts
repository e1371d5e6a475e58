import type { Citations, CitingTest } from "./citations.ts";
import type { Requirement } from "./requirement.ts";

export interface Coverage {
  readonly rows: readonly { readonly requirement: Requirement; readonly tests: readonly CitingTest[] }[];
  /** What keeps ledger and tests from agreeing, each with the way out. */
  readonly problems: readonly string[];
}

const cites = (cited: string, id: string): boolean =>
  cited.endsWith(".*") ? id.startsWith(cited.slice(0, -1)) : cited === id;

/** Which tests prove which requirement. */
export function coverageOf(requirements: readonly Requirement[], citations: Citations): Coverage {
  const problems = [...citations.problems];
  const rows = requirements.map((requirement) => ({
    requirement,
    tests: citations.tests.filter(({ ids }) => ids.some((cited) => cites(cited, requirement.id))),
  }));
  for (const { requirement, tests } of rows) {
    const { id, notYet, elsewhere } = requirement;
    if (tests.length === 0 && notYet === undefined && elsewhere === undefined)
      problems.push(`${id}: no test cites it. Write one, or say notYet.`);
    if (tests.length > 0 && notYet !== undefined) problems.push(`${id}: is cited by a test, so take its notYet away.`);
  }
  for (const { file, title, ids } of citations.tests) {
    for (const cited of ids) {
      if (!requirements.some(({ id }) => cites(cited, id)))
        problems.push(`${file}: "${title}" cites unknown ${cited}.`);
    }
  }
  return { rows, problems };
}

export const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function testsCell({ requirement, tests }: Coverage["rows"][number]): string {
  if (requirement.notYet !== undefined) return `*Not yet: ${cell(requirement.notYet)}*`;
  return tests.map(({ file, title }) => `[${file.split("/").at(-1)}](../${file}): ${cell(title)}`).join("<br>");
}

/** The part of it that is about these requirements. */
export const coverageWithin = ({ rows, problems }: Coverage, requirements: readonly Requirement[]): Coverage => ({
  rows: rows.filter(({ requirement }) => requirements.includes(requirement)),
  problems,
});

/** docs/specification-coverage.md. */
export function renderCoverage({ rows }: Coverage): string {
  const proven = rows.filter(({ tests }) => tests.length > 0).length;
  const sections = Map.groupBy(rows, ({ requirement }) => requirement.section);
  return [
    "# Coverage of the specification",
    "",
    "Every numbered line and table row of the interface specification, and the tests that prove it. Made by",
    "`node tests/spec/render-coverage.ts` from [the ledger](../tests/spec/requirements.ts) and the titles of the tests,",
    "which cite as `[spec: events.3]`.",
    "",
    `${proven} of ${rows.length} are proven.`,
    ...[...sections].flatMap(([heading, ofSection]) => [
      "",
      `## ${heading}`,
      "",
      "| Id | Requirement | Tests |",
      "|---|---|---|",
      ...ofSection.map((row) => `| ${row.requirement.id} | ${cell(row.requirement.behaviour)} | ${testsCell(row)} |`),
    ]),
    "",
  ].join("\n");
}
