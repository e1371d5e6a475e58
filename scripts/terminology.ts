// Fails when a text or a name uses a word that docs/terminology.json replaces. `npm run check -- terminology` runs it;
// `npm run x -- node scripts/terminology.ts <path>…` only for some paths.
import fs from "node:fs";
import path from "node:path";
import { repository } from "./repository.mjs";
import { createTermLint, type Dictionary } from "./term-lint.ts";
import { trackedFiles } from "./tracked-files.ts";

const read = (file: string): string => fs.readFileSync(path.join(repository, file), "utf8");
const readJson = <Content>(file: string): Content => JSON.parse(read(file)) as Content;

/** Applied migrations never change; the dictionary and its test name the words. */
const skipped =
  /^(?:packages\/persistence\/prisma\/migrations\/|docs\/terminology\.json|scripts\/term-lint\.test)|\/CHANGELOG\.md$/;

const { formatter } = readJson<{ formatter: { lineWidth: number } }>("biome.json");
const lint = createTermLint(readJson<Dictionary>("docs/terminology.json"), formatter.lineWidth);
const paths = process.argv.slice(2);
const files = trackedFiles(repository).filter(
  (file) => !skipped.test(file) && (paths.length === 0 || paths.some((prefix) => file.startsWith(prefix))),
);

for (const file of files) {
  for (const { line, message } of await lint(file, read(file))) {
    console.error(`${file}:${line} ${message}`);
    process.exitCode = 1;
  }
}
