/**
 * `pnpm run desktop`: packs `dist/package` as a bundle that desktop applications install by a double click
 * (https://github.com/modelcontextprotocol/mcpb), into `dist/svc-mcp.mcpb` or the file named as argument.
 */
import fs from "node:fs";
import path from "node:path";
import { packExtension } from "@anthropic-ai/mcpb";
import { serverInfo } from "../src/protocol/server-info.ts";
import { tools } from "../src/tools/catalogue.ts";

const dist = path.resolve(import.meta.dirname, "../dist");
const packed = path.join(dist, "package");
const folder = path.join(dist, "desktop");
const outputPath = path.resolve(process.argv[2] ?? path.join(dist, "svc-mcp.mcpb"));
const { version, description, license, engines } = JSON.parse(
  fs.readFileSync(path.join(packed, "package.json"), "utf8"),
);

// `.mjs`: the bundle has no package.json that would make it a module.
const entryPoint = "server/svc-mcp.mjs";
const manifest = {
  manifest_version: "0.3",
  name: serverInfo.name,
  display_name: serverInfo.title,
  version,
  description,
  author: { name: "Shipment Tracking Service" },
  license,
  server: {
    type: "node",
    entry_point: entryPoint,
    mcp_config: {
      command: "node",
      args: [`\${__dirname}/${entryPoint}`],
      env: {
        SVC_API_TOKEN: `\${user_config.api_token}`,
        SVC_API_BASE_URL: `\${user_config.api_base_url}`,
        SVC_MCP_READ_ONLY: `\${user_config.read_only}`,
      },
    },
  },
  tools: tools.map(({ description: { name, title } }) => ({ name, description: title })),
  prompts_generated: true,
  compatibility: { runtimes: { node: engines.node } },
  user_config: {
    api_token: {
      type: "string",
      title: "API token",
      description: "API token, from the dashboard under Developers, API tokens.",
      required: true,
      sensitive: true,
    },
    api_base_url: {
      type: "string",
      title: "Address of the API",
      description: "URL of the API with its version, for example https://tracking.example.com/v2.",
      required: true,
      default: "http://localhost:4000/v2",
    },
    read_only: {
      type: "boolean",
      title: "Read only",
      description: "Offers no tool that changes something.",
      required: false,
      default: false,
    },
  },
};

fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(path.join(folder, "server"), { recursive: true });
fs.copyFileSync(path.join(packed, "svc-mcp.js"), path.join(folder, entryPoint));
for (const file of ["LICENSE", "THIRD-PARTY-NOTICES"])
  fs.copyFileSync(path.join(packed, file), path.join(folder, file));
fs.writeFileSync(path.join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
if (!(await packExtension({ extensionPath: folder, outputPath, silent: true }))) process.exitCode = 1;
