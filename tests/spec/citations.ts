import fs from "node:fs";
import path from "node:path";
import { type Argument, type Expression, parseSync } from "@swc/core";

/** A test, or a group of tests, whose title cites requirements. */
export interface CitingTest {
  /** Path from the root of the repository. */
  readonly file: string;
  /** Title below those of its groups, without the citation. */
  readonly title: string;
  /** Cited ids as written: an id, or a prefix and `.*`. */
  readonly ids: readonly string[];
}

export interface Citations {
  readonly tests: readonly CitingTest[];
  /** Citations that prove nothing, each with its file and the way out. */
  readonly problems: readonly string[];
}

const citation = /\s*\[spec: ([^\]]*)\]/g;
const withoutIds = /\(spec: [^)]*\)/g;
const titled = new Set(["test", "it", "describe"]);
const folders = ["apps", "packages", "examples", "scripts", "tests"];
const skippedFolders = new Set(["node_modules", "dist", "generated", "fixtures"]);

/** Every test file of the repository, in order. */
function testFiles(root: string): string[] {
  const walk = (folder: string): string[] =>
    fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const relative = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : walk(relative);
      return entry.name.endsWith(".test.ts") ? [relative] : [];
    });
  return folders.flatMap(walk).toSorted();
}

/** `test.each(rows)` and the like: `["test", "each"]`. */
function calledNames(callee: Expression | { type: "Super" | "Import" }): string[] {
  if (callee.type === "Identifier") return [callee.value];
  if (callee.type === "CallExpression") return calledNames(callee.callee);
  if (callee.type === "TaggedTemplateExpression") return calledNames(callee.tag);
  if (callee.type !== "MemberExpression") return [];
  const { object, property } = callee;
  return [...calledNames(object), ...(property.type === "Identifier" ? [property.value] : [])];
}

function textOf(argument: Argument | undefined): string | null {
  const expression = argument?.expression;
  if (expression?.type === "StringLiteral") return expression.value;
  if (expression?.type === "TemplateLiteral") return expression.quasis.map((quasi) => quasi.raw).join("…");
  return null;
}

interface Found {
  readonly groups: readonly string[];
  readonly isSkipped: boolean;
}

/** Returns the citations in the titles of one file. */
export function citationsIn(file: string, source: string): Citations {
  const tests: CitingTest[] = [];
  const problems: string[] = [];
  let inTitles = 0;

  /** @returns the number of tests that run. */
  const visit = (node: unknown, found: Found): number => {
    if (Array.isArray(node)) return node.reduce<number>((sum, item) => sum + visit(item, found), 0);
    if (typeof node !== "object" || node === null) return 0;
    const call = node as Expression;
    const names = call.type === "CallExpression" ? calledNames(call.callee) : [];
    const title = call.type === "CallExpression" && titled.has(names[0] ?? "") ? textOf(call.arguments[0]) : null;
    if (title === null) return visit(Object.values(node), found);
    const isSkipped = found.isSkipped || names.includes("skip") || names.includes("todo");
    const groups = [...found.groups, title.replace(citation, "")];
    const inside = visit(Object.values(node), { groups, isSkipped });
    const running = names[0] === "describe" ? inside : Number(!isSkipped);
    for (const [, ids = ""] of title.matchAll(citation)) {
      inTitles++;
      if (running > 0) tests.push({ file, title: groups.join(" › "), ids: ids.split(",").map((id) => id.trim()) });
      else problems.push(`${file}: "${title}" cites, but runs no test.`);
    }
    return running;
  };
  visit(parseSync(source, { syntax: "typescript" }).body, { groups: [], isSkipped: false });

  const written = [...source.matchAll(citation)].length;
  if (written > inTitles) problems.push(`${file}: a citation stands outside the title of a test or group.`);
  for (const [found] of source.matchAll(withoutIds)) problems.push(`${file}: write [spec: <id>] instead of ${found}.`);
  return { tests, problems };
}

/** Returns the citations in the titles of all tests. */
export function citationsOf(root: string): Citations {
  const all = testFiles(root).map((file) => citationsIn(file, fs.readFileSync(path.join(root, file), "utf8")));
  return { tests: all.flatMap(({ tests }) => tests), problems: all.flatMap(({ problems }) => problems) };
}
