// Prints what CHANGELOG.md says about a version; exit code 1 when it has no section of it:
// `npm run --silent x -- node scripts/release-notes.ts 1.2.0`.
import fs from "node:fs";
import path from "node:path";
import { notesOf } from "./changelog.ts";
import { repository } from "./repository.mjs";

const [version = ""] = process.argv.slice(2);
const notes = notesOf(fs.readFileSync(path.join(repository, "CHANGELOG.md"), "utf8"), version);
if (notes === undefined) {
  console.error(`CHANGELOG.md has no section of version ${version || "(none given)"}.`);
  process.exitCode = 1;
} else console.log(notes);
