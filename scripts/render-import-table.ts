// Writes the table "Who may import whom" of ARCHITECTURE.md from `mayImport` of .dependency-cruiser.cjs.
// `npm run check -- "import table"` compares them.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { repository } from "./repository.mjs";

const { mayImport } = createRequire(import.meta.url)("../.dependency-cruiser.cjs") as {
  mayImport: Readonly<Record<string, readonly string[]>>;
};
const file = path.join(repository, "ARCHITECTURE.md");
const present = fs.readFileSync(file, "utf8");

const named = (member: string): string => member.replace(/^packages\//, "");
const rows = Object.entries(mayImport).map(
  ([member, allowed]) => `| ${named(member)} | ${allowed.map(named).join(", ") || "nothing of ours"} |\n`,
);
const tableBelowHeading = /(?<=^## Who may import whom\n\n)(?:\|.*\n)+/m;
if (!tableBelowHeading.test(present)) throw new Error('ARCHITECTURE.md has no table below "Who may import whom".');
const text = present.replace(tableBelowHeading, ["| From | may import |\n", "|---|---|\n", ...rows].join(""));

if (!process.argv.includes("--check")) fs.writeFileSync(file, text);
else if (text !== present) {
  console.error(
    "ARCHITECTURE.md does not agree with .dependency-cruiser.cjs: npm run x -- node scripts/render-import-table.ts",
  );
  process.exitCode = 1;
}
