// Fails when a mitigation of the threat model names no test, or one that does not exist.
// `npm run check -- threats` runs it.
import fs from "node:fs";
import path from "node:path";
import { repository } from "./repository.mjs";
import { threatProblems } from "./threat-checker.ts";

const file = "docs/security.md";
const problems = threatProblems(repository, file, fs.readFileSync(path.join(repository, file), "utf8"));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
