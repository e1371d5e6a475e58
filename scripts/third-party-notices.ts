import fs from "node:fs";
import path from "node:path";

interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The folder of the registry package that a file belongs to. */
function packageFolder(file: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

/** Name, version, licence and licence text of the package in a folder. */
export function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = fs.readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file === undefined ? "" : fs.readFileSync(path.join(folder, file), "utf8").trim();
  return `${name} ${version} (${license})\n\n${text}`.trim();
}

/** One text of all notices, in the order of their names. */
export function joinNotices(notices: readonly string[]): string {
  const rule = `\n\n${"-".repeat(80)}\n\n`;
  return `This package contains code of others, under these licences:\n\n${[...new Set(notices)].sort().join(rule)}\n`;
}

/**
 * The licences of the registry packages whose code a bundle holds: they ask to be passed on with it.
 * `metafile` is what the bundler wrote about the bundle; its paths are relative to `from`.
 */
export function thirdPartyNotices(metafile: string, from: string): string {
  const { inputs } = JSON.parse(fs.readFileSync(metafile, "utf8")) as Metafile;
  const folders = new Set(Object.keys(inputs).flatMap((file) => packageFolder(path.resolve(from, file)) ?? []));
  return joinNotices([...folders].map(noticeOf));
}
