#!/usr/bin/env node
/** The published program: one client over stdin and stdout, or with `http` everybody who may reach the port. */
const usage = `Usage: svc-mcp          serve the client that started it, over stdin and stdout
       svc-mcp http     serve over HTTP, at POST /mcp

Environment: SVC_API_TOKEN (required), SVC_API_BASE_URL; with http also PORT, HOST, SVC_MCP_ALLOWED_HOSTS, …
`;

const [transport = "stdio", ...rest] = process.argv.slice(2);
if (rest.length === 0 && transport === "stdio") await import("./stdio.ts");
else if (rest.length === 0 && transport === "http") await import("./main.ts");
else {
  process.stderr.write(usage);
  process.exitCode = transport === "--help" ? 0 : 2;
}
