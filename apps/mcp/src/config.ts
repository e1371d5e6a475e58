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

const token = z.string().describe("API token that is used when a request carries none");

const httpVariables = {
  ...processVariables,
  ...apiVariables,
  PORT: processVariables.PORT.default(4001),
  // Reported at start when it is absent, and not demanded: a server for many callers must not lend its own token.
  SVC_API_TOKEN: token.optional(),
  SVC_MCP_ALLOWED_HOSTS: list.describe("comma-separated Host names, with or without port; empty: loopback names"),
  SVC_MCP_ALLOWED_ORIGINS: list.describe("comma-separated Origins, or their host names; empty: loopback origins"),
};

const stdioVariables = { ...apiVariables, SVC_API_TOKEN: token, LOG_LEVEL: processVariables.LOG_LEVEL };

type Environment = Readonly<Record<string, string | undefined>>;

/** spec: Hosted MCP endpoint, Server configuration. */
export const loadHttpConfig = (environment: Environment) => readConfig("mcp", httpVariables, environment);
export const loadStdioConfig = (environment: Environment) => readConfig("mcp", stdioVariables, environment);

export type HttpConfig = ReturnType<typeof loadHttpConfig>;
