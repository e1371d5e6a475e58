/** Completes `dist/package`, where tsup put the program: adds manifest, documentation and licences for publication. */
import fs from "node:fs";
import path from "node:path";
import { thirdPartyNotices } from "../../../scripts/third-party-notices.ts";

const folder = path.resolve(import.meta.dirname, "..");
const repository = path.resolve(folder, "../..");
const dist = path.join(folder, "dist/package");
const readJson = (file: string) => JSON.parse(fs.readFileSync(path.join(folder, file), "utf8"));
const { version, license, type } = readJson("package.json");

const manifest = {
  name: "@svc/mcp",
  // The MCP registry verifies by this name that its entry and the package have the same owner.
  mcpName: readJson("server.json").name,
  version,
  description:
    "The MCP server of the Shipment Tracking Service: its data as tools for AI clients, over stdio and HTTP.",
  license,
  type,
  engines: { node: ">=22.12" },
  bin: { "svc-mcp": "svc-mcp.js" },
  files: ["svc-mcp.js", "THIRD-PARTY-NOTICES"],
};
fs.writeFileSync(path.join(dist, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
fs.chmodSync(path.join(dist, "svc-mcp.js"), 0o755);
fs.copyFileSync(path.join(repository, "docs/mcp.md"), path.join(dist, "README.md"));
fs.copyFileSync(path.join(repository, "LICENSE"), path.join(dist, "LICENSE"));
const metafile = path.join(dist, "metafile-esm.json");
fs.writeFileSync(path.join(dist, "THIRD-PARTY-NOTICES"), thirdPartyNotices(metafile, folder));
fs.rmSync(metafile);
