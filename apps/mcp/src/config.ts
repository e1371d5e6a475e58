import { ConfigError, flag, processVariables, readConfig } from "@svc/service-kit";
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
  SVC_API_TOKEN: z.string().optional().describe("API token that SVC_MCP_LEND_TOKEN lends to requests that carry none"),
  SVC_MCP_LEND_TOKEN: flag.describe(
    "lends SVC_API_TOKEN to requests without a token, on a loopback HOST only; off: they are answered with 401",
  ),
  SVC_MCP_ALLOWED_HOSTS: list.describe("comma-separated Host names, with or without port; empty: loopback names"),
  SVC_MCP_ALLOWED_ORIGINS: list.describe("comma-separated Origins, or their host names; empty: loopback origins"),
};

export const stdioVariables = {
  ...apiVariables,
  SVC_API_TOKEN: z.string().describe("API token that everything is done with"),
  LOG_LEVEL: processVariables.LOG_LEVEL,
};

type Environment = Readonly<Record<string, string | undefined>>;

const loopback = new Set(["127.0.0.1", "::1", "localhost"]);

/**
 * docs/contract/specification.md, MCP server configuration. `ownToken` is what requests without a token use: nothing unless the
 * operator lends it, because everybody who reaches the port would act with it.
 */
export function loadHttpConfig(environment: Environment) {
  const config = readConfig("mcp", httpVariables, environment);
  if (!config.SVC_MCP_LEND_TOKEN) return { ...config, ownToken: undefined };
  const problems: string[] = [];
  if (config.SVC_API_TOKEN === undefined) problems.push("  SVC_API_TOKEN is missing (SVC_MCP_LEND_TOKEN lends it)");
  if (!loopback.has(config.HOST)) {
    problems.push(
      "  SVC_MCP_LEND_TOKEN must be off unless HOST is a loopback address: callers would act with SVC_API_TOKEN",
    );
  }
  if (problems.length > 0) throw new ConfigError("mcp", problems);
  return { ...config, ownToken: config.SVC_API_TOKEN };
}
export const loadStdioConfig = (environment: Environment) => readConfig("mcp", stdioVariables, environment);
