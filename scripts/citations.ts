// Fails when a text cites a document, section, requirement or decision that does not exist.
// `npm run check -- citations` runs it.
import fs from "node:fs";
import path from "node:path";
import { citationChecker } from "./citation-checker.ts";
import { repository } from "./repository.mjs";
import { trackedFiles } from "./tracked-files.ts";

const scanned = /\.(ts|mjs|cjs|js|sql|md|ya?ml|sh|prisma)$/;
// Applied migrations never change, so neither do the citations in their comments.
const skipped = /^packages\/persistence\/prisma\/migrations\/|\/CHANGELOG\.md$/;

const check = citationChecker(repository);
const files = trackedFiles(repository).filter((file) => scanned.test(file) && !skipped.test(file));
const problems = files.flatMap((file) => check(file, fs.readFileSync(path.join(repository, file), "utf8")));
for (const { file, line, message } of problems) console.error(`${file}:${line} ${message}`);
process.exitCode = problems.length === 0 ? 0 : 1;
