import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const repository = path.resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

export const tsc = path.join(repository, "node_modules/.bin/tsc");
const tsup = path.join(repository, "node_modules/.bin/tsup");

/** Runs a program to its end and gives what it wrote; rejects with all that it wrote when it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly environment?: Readonly<Record<string, string>> },
): Promise<string> {
  const env = { ...process.env, ...options.environment };
  return run(program, args, { cwd: options.cwd, env }).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
    },
  );
}

export interface PackedPackage {
  readonly tarball: string;
  /** An empty folder into which the package was installed, and nothing else. */
  readonly consumer: string;
  remove(): void;
}

/** Builds a member of the repository as it is published, packs it and installs the tarball as a stranger would. */
export async function packAndInstall(member: string): Promise<PackedPackage> {
  const source = path.join(repository, member);
  await runProgram(tsup, [], { cwd: source });
  await runProgram(process.execPath, ["tools/finish-package.ts"], { cwd: source });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-packed-"));
  const pack = ["pack", "--json", "--pack-destination", folder];
  const [{ filename }] = JSON.parse(await runProgram("npm", pack, { cwd: path.join(source, "dist") }));
  const tarball = path.join(folder, filename);
  const consumer = path.join(folder, "consumer");
  fs.mkdirSync(consumer);
  fs.writeFileSync(path.join(consumer, "package.json"), JSON.stringify({ private: true, type: "module" }));
  // Offline: a package that needs nothing can be installed without a registry.
  await runProgram("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: consumer });
  return { tarball, consumer, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

/** A program of the consumer's, bundled with all that it imports into one classic script for browsers. */
export async function bundleForBrowser(consumer: string, program: string): Promise<string> {
  fs.writeFileSync(path.join(consumer, "browser.js"), program);
  const config = { entry: ["browser.js"], format: "iife", platform: "browser", outDir: "browser", silent: true };
  const text = `export default { ...${JSON.stringify(config)}, noExternal: [/./] };`;
  fs.writeFileSync(path.join(consumer, "tsup.config.js"), text);
  await runProgram(tsup, [], { cwd: consumer });
  const [file = ""] = fs.readdirSync(path.join(consumer, "browser"));
  return fs.readFileSync(path.join(consumer, "browser", file), "utf8");
}
