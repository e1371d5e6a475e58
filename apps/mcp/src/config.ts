import { ConfigError, flag, isLoopbackHost, processVariables, readConfig, trustedProxyCount } from "@svc/service-kit";
import { z } from "zod";

const list = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((entry) => entry.trim().toLowerCase() || []));

const address = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));

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
    "lends SVC_API_TOKEN to requests without a token, on a loopback HOST only; off: they get 401",
  ),
  SVC_MCP_URL: address
    .optional()
    .describe("public address of this MCP server; with SVC_APP_URL clients can sign in by OAuth"),
  SVC_APP_URL: address
    .optional()
    .describe(
      "public address of the web application, to whose pages results link; with SVC_MCP_URL users sign in there",
    ),
  SVC_MCP_ALLOWED_HOSTS: list.describe(
    "comma-separated Host names, with or without port, beside that of SVC_MCP_URL; empty: loopback names",
  ),
  SVC_MCP_ALLOWED_ORIGINS: list.describe("comma-separated Origins, or their host names; empty: loopback origins"),
  SVC_RATE_LIMIT_INVALID_TOKEN: z.coerce
    .number()
    .int()
    .min(1)
    .default(60)
    .describe(
      "requests a minute without a valid token, process and client address (IPv6: /64); valid ones are not affected",
    ),
  SVC_TRUSTED_PROXY_COUNT: trustedProxyCount,
};

export const stdioVariables = {
  ...apiVariables,
  SVC_API_TOKEN: z.string().describe("API token of all requests"),
  SVC_APP_URL: address.optional().describe("public address of the web application, to whose pages results link"),
  SVC_MCP_READ_ONLY: flag.describe("neither lists nor calls tools that change something"),
  LOG_LEVEL: processVariables.LOG_LEVEL,
};

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

type Environment = Readonly<Record<string, string | undefined>>;

/** The public address is a Host name of this server as well; empty: loopback names only. */
function allowedHosts(hosts: readonly string[], publicUrl: string | undefined): readonly string[] {
  if (publicUrl === undefined) return hosts;
  const publicHost = new URL(publicUrl).hostname;
  return hosts.length === 0 ? [...loopbackNames, publicHost] : [...hosts, publicHost];
}

/**
 * docs/contract/specification.md, MCP server configuration. Requests without a token use `ownToken`. It is undefined
 * unless the operator lends the token, because every client that reaches the port would then act with it.
 */
export function loadHttpConfig(environment: Environment) {
  const config = readConfig("mcp", httpVariables, environment);
  const { SVC_MCP_URL: publicUrl, SVC_APP_URL: appUrl, SVC_MCP_LEND_TOKEN: lends } = config;
  const problems: string[] = [];
  if (publicUrl !== undefined && appUrl === undefined) {
    problems.push("  SVC_APP_URL is missing: with SVC_MCP_URL, users sign in at the web application");
  }
  if (lends && config.SVC_API_TOKEN === undefined) {
    problems.push("  SVC_API_TOKEN is missing (SVC_MCP_LEND_TOKEN lends it)");
  }
  if (lends && !isLoopbackHost(config.HOST)) {
    problems.push(
      "  SVC_MCP_LEND_TOKEN must be off unless HOST is a loopback address: callers would act with SVC_API_TOKEN",
    );
  }
  if (problems.length > 0) throw new ConfigError("mcp", problems);
  const signIn = publicUrl !== undefined && appUrl !== undefined ? { publicUrl, appUrl } : undefined;
  return {
    ...config,
    SVC_MCP_ALLOWED_HOSTS: allowedHosts(config.SVC_MCP_ALLOWED_HOSTS, publicUrl),
    signIn,
    ownToken: lends ? config.SVC_API_TOKEN : undefined,
  };
}

export const loadStdioConfig = (environment: Environment) => readConfig("mcp", stdioVariables, environment);
