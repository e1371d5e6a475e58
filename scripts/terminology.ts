// Fails when a text or a name uses a word that docs/terminology.json replaces, unless its folder is listed as unclean.
// `npm run check -- terminology` runs it; `npm run x -- node scripts/terminology.ts <path>…` lists all findings of
// paths.
import fs from "node:fs";
import path from "node:path";
import { repository } from "./repository.mjs";
import { createTermLint, type Dictionary } from "./term-lint.ts";
import { trackedFiles } from "./tracked-files.ts";

const read = (file: string): string => fs.readFileSync(path.join(repository, file), "utf8");
const readJson = <Content>(file: string): Content => JSON.parse(read(file)) as Content;

/** Applied migrations never change; fixtures break rules on purpose; the dictionary and its test name the words. */
const skipped =
  /^(?:packages\/persistence\/prisma\/migrations\/|tests\/architecture\/fixtures\/|docs\/terminology\.json|scripts\/term-lint\.test)|\/CHANGELOG\.md$/;

/** `apps/api`, `docs`, and `.` for the files of the root. */
function folderOf(file: string): string {
  const parts = file.split("/").slice(0, -1);
  return parts.slice(0, /^(?:apps|packages|tests|examples)$/.test(parts[0] ?? "") ? 2 : 1).join("/") || ".";
}

const { formatter } = readJson<{ formatter: { lineWidth: number } }>("biome.json");
const lint = createTermLint(readJson<Dictionary>("docs/terminology.json"), formatter.lineWidth);
/** Folders whose texts are being rewritten. A folder leaves the list when it is clean, and does not come back. */
const unclean = new Set(readJson<readonly string[]>("scripts/terminology-unclean.json"));
const paths = process.argv.slice(2);
const files = trackedFiles(repository).filter(
  (file) => !skipped.test(file) && (paths.length === 0 || paths.some((prefix) => file.startsWith(prefix))),
);

for (const [folder, ofFolder] of Map.groupBy(files, folderOf)) {
  const findings = await Promise.all(
    ofFolder.map(async (file) => (await lint(file, read(file))).map((finding) => ({ file, ...finding }))),
  );
  const lines = findings.flat().map(({ file, line, message }) => `${file}:${line} ${message}`);
  const isExcused = unclean.has(folder) && paths.length === 0;
  if (isExcused && lines.length === 0)
    lines.push(`${folder} is clean: remove it from scripts/terminology-unclean.json.`);
  else if (isExcused) continue;
  if (lines.length > 0) process.exitCode = 1;
  for (const line of lines) console.error(line);
}
