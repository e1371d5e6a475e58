// Writes apps/api/src/reference/scalar-notices.txt: the licences of the packages whose code the renderer of the API
// reference contains. Run it after a new version of @scalar/api-reference: node scripts/scalar-notices.ts
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { repository } from "./repository.mjs";
import { joinNotices, noticeOf } from "./third-party-notices.ts";

const renderer = "@scalar/api-reference";
const app = path.join(repository, "apps/api");

/** The names of the packages in the paths of a source map, which are those of the machine that built it. */
function packagesIn(sourceMap: string): string[] {
  const { sources } = JSON.parse(fs.readFileSync(sourceMap, "utf8")) as { readonly sources: readonly string[] };
  const names = sources.flatMap((source) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  return [...new Set(names)];
}

const installed = path.join(app, "node_modules", renderer);
const { version } = JSON.parse(fs.readFileSync(path.join(installed, "package.json"), "utf8")) as { version: string };
// The installation includes dependencies, which the repository leaves out: the browser build contains them.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "scalar-"));
fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ dependencies: { [renderer]: version } }));
execFileSync("pnpm", ["--dir", folder, "install", "--ignore-workspace", "--ignore-scripts"], { stdio: "inherit" });
const store = path.join(folder, "node_modules/.pnpm");
const names = [renderer, ...packagesIn(path.join(installed, "dist/browser/standalone.js.map"))];
const folders = names.flatMap((name) => {
  const [found] = fs.globSync(`*/node_modules/${name}/package.json`, { cwd: store });
  if (found === undefined) console.error(`${name} is not installed: its licence is missing.`);
  return found === undefined ? [] : [path.dirname(path.join(store, found))];
});
fs.writeFileSync(path.join(app, "src/reference/scalar-notices.txt"), joinNotices(folders.map(noticeOf)));
fs.rmSync(folder, { recursive: true });
