import { egressVariables } from "@svc/egress";
import {
  ConfigError,
  databaseVariables,
  processVariables,
  readConfig,
  secretKeys,
  trustedProxyCount,
} from "@svc/service-kit";
import { ProviderList } from "@svc/web/sign-in-providers";
import { z } from "zod";

const address = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));

export const variables = {
  ...processVariables,
  PORT: processVariables.PORT.default(4002),
  ...databaseVariables,
  SVC_APP_URL: address.default("http://localhost:4002").describe("public address of this web application"),
  SVC_BASE_URL: address.default("http://localhost:4000/v2").describe("public address of the API, with /v2"),
  SVC_API_BASE_URL: address
    .optional()
    .describe("address by which this service reaches the API, with /v2; default: SVC_BASE_URL"),
  SVC_MCP_URL: address
    .default("http://localhost:4001/mcp")
    .describe("public address of the MCP server, shown to users"),
  SVC_CLOCK_URL: address.optional().describe("URL of the demo's accelerated clock; default: real time"),
  SVC_INIT_EMAIL: z
    .email()
    .max(254)
    .optional()
    .describe(
      "e-mail address of the owner of the first account, which is created while there is none; with SVC_INIT_PASSWORD",
    ),
  SVC_INIT_PASSWORD: z.string().min(10).max(1_000).optional().describe("password of the owner, at least 10 characters"),
  SVC_INIT_COMPANY: z.string().trim().min(1).max(200).default("My company").describe("name of the first account"),
  SVC_SECRET_KEY: secretKeys
    .optional()
    .describe(
      "keys as for the API, which encrypt the secrets of two-factor authentication; without them, it is not available",
    ),
  SVC_MAIL_FROM: z
    .email()
    .optional()
    .describe(
      "sender's address of e-mails, as for the webhook worker, which sends links for a lost password; without it, the operator creates them",
    ),
  SVC_CAUGHT_MAIL_DIR: z
    .string()
    .optional()
    .describe(
      "folder in which `npm start` keeps mails instead of sending them; members read theirs; without it, there is no such page",
    ),
  SVC_SIGN_IN_PROVIDERS: ProviderList.prefault("[]").describe(
    "JSON array of OpenID Connect providers for single sign-on; see docs/single-sign-on.md",
  ),
  ...egressVariables,
  SVC_RATE_LIMIT_SEARCH: z.coerce
    .number()
    .int()
    .min(1)
    .default(600)
    .describe("maximum searches by the deep link per minute of a signed-in user, and of an account by its API tokens"),
  SVC_TRUSTED_PROXY_COUNT: trustedProxyCount,
};

/** The environment of the service. Throws ConfigError with every problem. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>) {
  const config = readConfig("deeplink", variables, environment);
  const { SVC_INIT_EMAIL: email, SVC_INIT_PASSWORD: password, SVC_INIT_COMPANY: companyName } = config;
  if ((email === undefined) !== (password === undefined)) {
    const missing = email === undefined ? "SVC_INIT_EMAIL" : "SVC_INIT_PASSWORD";
    throw new ConfigError("deeplink", [`${missing} is missing: the first owner needs an address and a password`]);
  }
  return { ...config, firstOwner: email && password ? { companyName, email, password } : undefined };
}
