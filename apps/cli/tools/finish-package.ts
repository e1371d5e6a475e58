/** Completes the published package in `dist`, where tsup put the program: manifest, documentation and licence. */
import fs from "node:fs";
import path from "node:path";

const folder = path.resolve(import.meta.dirname, "..");
const repository = path.resolve(folder, "../..");
const dist = path.join(folder, "dist");
const { name, version, license, type } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));

const manifest = {
  name,
  version,
  description: "The command line of the Shipment Tracking Service.",
  license,
  type,
  engines: { node: ">=22.12" },
  bin: { svc: "main.js" },
  files: ["main.js"],
};
fs.writeFileSync(path.join(dist, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
fs.chmodSync(path.join(dist, "main.js"), 0o755);
fs.copyFileSync(path.join(repository, "docs/cli.md"), path.join(dist, "README.md"));
fs.copyFileSync(path.join(repository, "LICENSE"), path.join(dist, "LICENSE"));
