import { processVariables, readConfig } from "@svc/service-kit";
import { z } from "zod";

const list = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((entry) => entry.trim().toLowerCase() || []));

const apiVariables = {
  SVC_API_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .default("http://localhost:4000/v2")
    .describe("address of the API"),
};

export const httpVariables = {
  ...processVariables,
  ...apiVariables,
  PORT: processVariables.PORT.default(4001),
  // A server for many callers must not lend them its own token; that it has none is then said, not forgotten.
  SVC_API_TOKEN: z
    .string()
    .transform((value) => (value === "none" ? undefined : value))
    .describe("API token that is used when a request carries none; `none`: such a request is answered with 401"),
  SVC_MCP_ALLOWED_HOSTS: list.describe("comma-separated Host names, with or without port; empty: loopback names"),
  SVC_MCP_ALLOWED_ORIGINS: list.describe("comma-separated Origins, or their host names; empty: loopback origins"),
};

export const stdioVariables = {
  ...apiVariables,
  SVC_API_TOKEN: z.string().describe("API token that everything is done with"),
  LOG_LEVEL: processVariables.LOG_LEVEL,
};

type Environment = Readonly<Record<string, string | undefined>>;

/** docs/contract/specification.md, MCP server configuration. */
export const loadHttpConfig = (environment: Environment) => readConfig("mcp", httpVariables, environment);
export const loadStdioConfig = (environment: Environment) => readConfig("mcp", stdioVariables, environment);
