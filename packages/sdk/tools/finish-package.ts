/** Completes the published package in `dist`, where tsup put the code: types, manifest, README and licence. */
import fs from "node:fs";
import path from "node:path";
import { writeDeclarations } from "./write-declarations.ts";

const folder = path.resolve(import.meta.dirname, "..");
const dist = path.join(folder, "dist");
const { name, version, license, type, sideEffects } = JSON.parse(
  fs.readFileSync(path.join(folder, "package.json"), "utf8"),
);

writeDeclarations(["index.ts", "webhooks/index.ts"], path.join(dist, "types"));

const manifest = {
  name,
  version,
  description: "Typed client of the Shipment Tracking Service's HTTP API, and a kit for receivers of its webhooks.",
  license,
  type,
  sideEffects,
  engines: { node: ">=20.3" },
  exports: {
    ".": { types: "./types/index.d.ts", default: "./index.js" },
    "./webhooks": { types: "./types/webhooks/index.d.ts", default: "./webhooks.js" },
    "./package.json": "./package.json",
  },
  files: ["*.js", "*.js.map", "types"],
};
fs.writeFileSync(path.join(dist, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
fs.copyFileSync(path.join(folder, "README.md"), path.join(dist, "README.md"));
fs.copyFileSync(path.resolve(folder, "../../LICENSE"), path.join(dist, "LICENSE"));
