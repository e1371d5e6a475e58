// Every check of the repository: one line each with its outcome and time, and the output of those that failed.
// Exit code 1 when one failed. `npm run check` and CI run it; names as arguments run only those.
import { spawn } from "node:child_process";
import os from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const persistence = path.join(root, "packages/persistence");

/** The generated client is read by most checks. */
const generate = { name: "generate", run: ["turbo", "run", "generate", "--output-logs=errors-only"] };

/** Longest first, so that the others run beside it. */
const checks = [
  // One program for everything: each package by itself would read the same sources again, four times the work.
  { name: "types", run: ["tsc", "--noEmit", "--pretty", "false"] },
  { name: "unused", run: ["knip", "--no-progress", "--no-config-hints"] },
  { name: "architecture", run: ["node", "scripts/architecture.ts"] },
  { name: "types of page scripts", run: ["tsc", "--noEmit", "--pretty", "false", "-p", "apps/web/src/browser"] },
  {
    name: "types of the API reference",
    run: ["tsc", "--noEmit", "--pretty", "false", "-p", "apps/api/src/reference/browser"],
  },
  { name: "types of views", run: ["tsc", "--noEmit", "--pretty", "false", "-p", "apps/mcp/src/views/browser"] },
  { name: "types of browser tests", run: ["tsc", "--noEmit", "--pretty", "false", "-p", "tests/browser"] },
  { name: "lint", run: ["oxlint"] },
  { name: "openapi", run: ["node", "scripts/lint-openapi.ts"] },
  { name: "terminology", run: ["node", "scripts/terminology.ts"] },
  { name: "commits", run: ["node", "scripts/commit-subjects.ts"] },
  { name: "citations", run: ["node", "scripts/citations.ts"] },
  { name: "threats", run: ["node", "scripts/threats.ts"] },
  { name: "configuration", run: ["node", "scripts/render-configuration.ts", "--check"] },
  { name: "carriers", run: ["node", "scripts/render-carriers.ts", "--check"] },
  { name: "log events", run: ["node", "scripts/render-log-events.ts", "--check"] },
  { name: "import table", run: ["node", "scripts/render-import-table.ts", "--check"] },
  { name: "licences", run: ["node", "scripts/licences.ts"] },
  { name: "api changes", run: ["node", "scripts/breaking-changes.ts"] },
  { name: "format", run: ["biome", "ci", "--colors=off", "--reporter=summary", "."] },
  { name: "migrations", run: ["node", "scripts/lint-migrations.ts"] },
  { name: "schema", run: ["prisma", "validate"], folder: persistence },
];

const environment = {
  ...process.env,
  PATH: [
    path.dirname(process.execPath),
    path.join(root, "node_modules/.bin"),
    path.join(persistence, "node_modules/.bin"),
    process.env.PATH,
  ].join(path.delimiter),
  NO_COLOR: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  CHECKPOINT_DISABLE: "1",
  PRISMA_HIDE_UPDATE_MESSAGE: "1",
  PRISMA_SCHEMA_ENGINE_BINARY: path.join(persistence, "tools/schema-engine.mjs"),
};

function runCheck({ name, run: [program, ...rest], folder = root }) {
  const started = performance.now();
  return new Promise((resolve) => {
    let output = "";
    const done = (failed) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${failed ? "failed" : "ok    "} ${seconds.padStart(6)} s  ${name}`);
      resolve({ name, failed, output });
    };
    const child = spawn(program, rest, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.once("error", (error) => {
      output += `${error.message}\n`;
    });
    child.once("close", (code, signal) => {
      if (signal) output += `Ended by ${signal}.\n`;
      done(code !== 0);
    });
  });
}

async function runAll(wanted) {
  const waiting = [...wanted];
  const results = [];
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) results.push(await runCheck(check));
  };
  await Promise.all(Array.from({ length: Math.max(2, os.availableParallelism() - 1) }, worker));
  return results;
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`No check named ${unknown.join(", ")}. There are: ${checks.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const generated = await runCheck(generate);
const results = generated.failed
  ? [generated]
  : await runAll(names.length === 0 ? checks : checks.filter(({ name }) => names.includes(name)));
const failures = results.filter(({ failed }) => failed);
for (const { name, output } of failures) console.log(`\n--- ${name}\n${output.trim()}`);
console.log(
  failures.length === 0 ? "\nAll checks passed." : `\n${failures.length} of ${results.length} checks failed.`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
