// Checks the licence of every installed package, direct or not. `npm run check -- licences` runs it.
import fs from "node:fs";
import path from "node:path";
import { repository } from "./repository.mjs";

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: unknown;
}

const permitted = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
  "Zlib",
]);

/**
 * Reasons why another or an undeclared licence is accepted, by package. They are tools of builds and tests, used
 * unchanged.
 */
const exceptions: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/inspector": "MIT in its file LICENSE; runs in tests",
  argparse: "PSF-2.0; runs in checks",
  "axe-core": "MPL-2.0; runs in browser tests",
  busboy: "MIT in its file LICENSE, declared in a former form; a dependency of the S3 server of the tests",
  "caniuse-lite": "CC-BY-4.0 data; runs in builds of tests",
  elkjs: "EPL-2.0; a dependency of Prisma's command line",
  format: "MIT, declared in a former form; runs in checks",
  "humanize-number": "MIT in its Readme; a dependency of the S3 server of the tests",
  "ical.js": "MPL-2.0; reads calendars in tests",
  lightningcss: "MPL-2.0; a dependency of vite, which the MCP inspector of the tests needs",
  ssh2: "MIT in its file LICENSE, declared in a former form",
  "seq-queue": "MIT in its file LICENSE; a dependency of Prisma's command line",
  streamsearch: "MIT in its file LICENSE, declared in a former form; a dependency of the S3 server of the tests",
};

/** Whether an SPDX expression can be met with permitted licences only. */
export function isPermitted(expression: string): boolean {
  const alternatives = expression.replace(/[()]/g, "").split(/ or /i);
  return alternatives.some((all) => all.split(/ and /i).every((licence) => permitted.has(licence.trim())));
}

/** Returns the problem of a package's licence; undefined: none. */
export function licenceProblem({ name = "", version, license }: Manifest): string | undefined {
  if (typeof license === "string" && isPermitted(license)) return undefined;
  const isException = Object.keys(exceptions).some((known) => name === known || name.startsWith(`${known}-`));
  return isException ? undefined : `${name} ${version}: ${JSON.stringify(license ?? "no licence declared")}`;
}

function installedManifests(): Manifest[] {
  const store = path.join(repository, "node_modules/.pnpm");
  const files = ["*/node_modules/*/package.json", "*/node_modules/@*/*/package.json"].flatMap((pattern) =>
    fs.globSync(pattern, { cwd: store }),
  );
  return files.map((file) => JSON.parse(fs.readFileSync(path.join(store, file), "utf8")) as Manifest);
}

if (process.argv[1] === import.meta.filename) {
  const manifests = installedManifests();
  const problems = [...new Set(manifests.flatMap((manifest) => licenceProblem(manifest) ?? []))].toSorted();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error("Use a dependency with a permissive licence, or name it with a reason in scripts/licences.ts.");
    process.exitCode = 1;
  }
}
