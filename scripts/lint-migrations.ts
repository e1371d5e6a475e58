// Checks the migrations after the baseline with squawk: none may block the running services on a large table, or take
// away what the previous build reads. And none may change once it is committed. `npm run check -- migrations` runs it.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { repository } from "./repository.mjs";

const require = createRequire(import.meta.url);
const squawk = require.resolve("squawk-cli/js/bin/squawk");
const concurrently = /\bCONCURRENTLY\b/i;

function runSquawk(files: readonly string[], flags: readonly string[]): string {
  if (files.length === 0) return "";
  const config = path.join(repository, ".squawk.toml");
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [squawk, "--config", config, "--reporter", "gcc", ...flags, ...files],
    { encoding: "utf8", cwd: repository, env: { ...process.env, NO_COLOR: "1" } },
  );
  if (error) throw error;
  if (status === 0) return "";
  return `${stdout}${stderr}`.trim() || `squawk ended with ${status}.`;
}

/** Number of statements of a script without string literals that contain a semicolon. */
const statementCount = (script: string): number =>
  script
    .replace(/--[^\n]*/g, "")
    .split(";")
    .filter((statement) => statement.trim() !== "").length;

/** Returns the problems of the migrations in a folder, except the first one, which creates everything. */
export function lintMigrations(folder: string): string {
  const files = fs
    .globSync("*/migration.sql", { cwd: folder })
    .toSorted()
    .slice(1)
    .map((file) => path.join(folder, file));
  const scripts = files.map((file) => ({ file, script: fs.readFileSync(file, "utf8") }));
  const outside = scripts.filter(({ script }) => concurrently.test(script));
  const inside = scripts.filter(({ script }) => !concurrently.test(script));
  const crowded = outside.filter(({ script }) => statementCount(script) > 1);
  return [
    runSquawk(
      inside.map(({ file }) => file),
      ["--assume-in-transaction"],
    ),
    runSquawk(
      outside.map(({ file }) => file),
      [],
    ),
    ...crowded.map(
      ({ file }) => `${file}: CONCURRENTLY runs outside a transaction: give the statement a migration of its own.`,
    ),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

/** Earlier changes were of migrations that no database had applied yet, or are known to `applyMigrations`. */
const unchangedSince = "2026-11-30T11:00:00Z";

/**
 * Returns the migrations that differ from the commit that added them. A database that has applied such a migration
 * refuses the next upgrade. `since`: of the commits whose changes are looked at.
 */
export function changedMigrations(folder: string, since = unchangedSince): string {
  const git = (...command: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync("git", command, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${command.join(" ")} ended with ${status}: ${stderr}`);
    return stdout;
  };
  const list = (...command: readonly string[]): string[] => {
    const options = ["--diff-filter=MDR", "--name-only", "--format=", "--no-renames", "--relative"];
    const names = git(...command, ...options, "--", "*/migration.sql");
    return names.split("\n").filter((file) => file !== "");
  };
  const differs = (file: string): boolean => {
    // The first: a file that was deleted and added again has two.
    const added = git("log", "--diff-filter=A", "--format=%H", "--", file).trim().split("\n").at(-1);
    return !added || git("diff", "--name-only", added, "--", file) !== "";
  };
  const touched = new Set([...list("log", "-m", `--since=${since}`), ...list("diff", "HEAD")]);
  return [...touched]
    .filter(differs)
    .map((file) => `${file}: was changed after it was committed. Restore it, and put the change in a new migration.`)
    .join("\n");
}

if (process.argv[1] === import.meta.filename) {
  const folder = path.join(repository, "packages/persistence/prisma/migrations");
  const problems = [lintMigrations(folder), changedMigrations(folder)].filter((text) => text !== "").join("\n");
  if (problems !== "") {
    console.error(problems);
    process.exitCode = 1;
  }
}
