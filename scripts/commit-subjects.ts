// Fails when a commit since main has a subject over 72 characters. `npm run check -- commits` runs it.
import { spawnSync } from "node:child_process";
import { repository } from "./repository.mjs";

const subjectMax = 72;

function git(...values: readonly string[]): string | null {
  const { status, stdout } = spawnSync("git", values, { cwd: repository, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

const head = git("rev-parse", "HEAD");
const bases = ["origin/main", "main", "HEAD^"].map((name) => git("merge-base", "HEAD", name));
const base = bases.find((commit) => commit !== null && commit !== head);
const subjects =
  base === undefined ? [] : (git("log", "--no-merges", "--format=%h %s", `${base}..HEAD`) ?? "").split("\n");
const long = subjects.filter((line) => line.slice(line.indexOf(" ") + 1).length > subjectMax);
for (const line of long) console.error(`The subject is longer than ${subjectMax} characters: ${line}`);
process.exitCode = long.length === 0 ? 0 : 1;
