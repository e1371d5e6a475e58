import { isIP } from "node:net";
import { egressVariables, isLoopbackUrl } from "@svc/egress";
import { redisAddress } from "@svc/redis";
import {
  ConfigError,
  databaseVariables,
  flag,
  postgresUrl,
  processVariables,
  readConfig,
  secretKeys,
  trustedProxyCount,
} from "@svc/service-kit";
import { z } from "zod";
import { webhooksPerAccountLimit, webhooksPerAccountMax } from "./webhooks/webhook-limit.ts";

const url = (...protocols: string[]) =>
  z.url({ protocol: new RegExp(`^(${protocols.join("|")})$`) }).transform((value) => value.replace(/\/+$/, ""));
const perMinute = (requests: number) => z.coerce.number().int().min(1).default(requests);

/** Default of SVC_WEBHOOK_EGRESS_IPS_SINCE: the same in every process, and before any time that a receiver compares. */
const notKnownSince = new Date(0).toISOString();

export const variables = {
  ...processVariables,
  PORT: processVariables.PORT.default(4000),
  ...databaseVariables,
  SVC_DATABASE_READ_URL: postgresUrl
    .optional()
    .describe(
      "streaming replicas of the same database, at one address and not through PgBouncer: GET requests read from them when they have replayed all that was committed before the request; without it, they read from DATABASE_URL; see docs/high-availability.md",
    ),
  SVC_SECRET_KEY: secretKeys.describe(
    "keys that encrypt secrets: 32 bytes in base64 (openssl rand -base64 32), the same for every service; former ones after commas",
  ),
  SVC_BASE_URL: url("http", "https")
    .default("http://localhost:4000/v2")
    .describe("public address of this API, with /v2"),
  SVC_APP_URL: url("http", "https").default("http://localhost:4002").describe("public address of the web application"),
  SVC_MAIL_FROM: z
    .email()
    .optional()
    .describe(
      "sender's address of e-mails, as for the webhook worker, which sends alerts; without it, alerts by e-mail are not offered",
    ),
  REDIS_URL: redisAddress
    .optional()
    .describe(
      "Redis that shares rate limits between processes: redis://host, redis+sentinel://host,host/master or redis+cluster://host,host (rediss for TLS); see docs/high-availability.md",
    ),
  SVC_CLOCK_URL: url("http", "https").optional().describe("URL of the demo's accelerated clock; default: real time"),
  SVC_RATE_LIMIT_DEFAULT: perMinute(100).describe("maximum requests per minute of an account"),
  SVC_RATE_LIMIT_CREATE_TRACKING_REQUEST: perMinute(100).describe(
    "maximum calls per minute by which an account creates tracking requests; a call in bulk, of up to 500, counts once",
  ),
  SVC_RATE_LIMIT_INFER: perMinute(200).describe("maximum numbers that an account detects per minute"),
  SVC_RATE_LIMIT_REFRESH: perMinute(10).describe("maximum containers that an account refreshes per minute"),
  SVC_RATE_LIMIT_CARRIER_TEST: perMinute(10).describe(
    "maximum test calls of carrier connections per minute of an account",
  ),
  SVC_RATE_LIMIT_PUSH: perMinute(600).describe("maximum pushes per minute to a carrier connection"),
  SVC_RATE_LIMIT_SESSION: perMinute(600).describe(
    "maximum requests per minute of a signed-in user of the web application",
  ),
  SVC_RATE_LIMIT_INVALID_TOKEN: perMinute(60).describe(
    "maximum requests per minute without a valid token or push signature from one client address (IPv6: /64); valid ones are not limited",
  ),
  SVC_RATE_LIMIT_NOT_MODIFIED_PER_REQUEST: z.coerce
    .number()
    .int()
    .min(1)
    .default(10)
    .describe("number of 304 responses that together count as one request"),
  SVC_TRUSTED_PROXY_COUNT: trustedProxyCount,
  SVC_WEBHOOK_EGRESS_IPS: z
    .string()
    .default("")
    .transform((list) => list.split(",").flatMap((address) => (address.trim() === "" ? [] : [address.trim()])))
    .refine((addresses) => addresses.every((address) => isIP(address) !== 0), "must be IP addresses, comma-separated")
    .describe("addresses that webhook deliveries come from, comma-separated"),
  SVC_WEBHOOK_EGRESS_IPS_SINCE: z.iso
    .datetime({ offset: true })
    .transform((time) => new Date(time).toISOString())
    .default(notKnownSince)
    .describe("time of the last change of these addresses, for example 2026-11-20T08:00:00Z"),
  SVC_WEBHOOKS_PER_ACCOUNT: z.coerce
    .number()
    .int()
    .min(1)
    .max(
      webhooksPerAccountLimit,
      `must be ${webhooksPerAccountLimit} at most, so that no account fills a round of deliveries`,
    )
    .default(webhooksPerAccountMax)
    .describe(`webhooks that an account may have; ${webhooksPerAccountLimit} at most`),
  SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: flag.describe("allows http:// and loopback webhook targets, for development"),
  ...egressVariables,
};

export type ApiConfig = ReturnType<typeof readVariables>;

function readVariables(environment: Readonly<Record<string, string | undefined>>) {
  return readConfig("api", variables, environment);
}

/** The environment of the service, checked as a whole. Throws ConfigError with every problem. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): ApiConfig {
  const config = readVariables(environment);
  const problems: string[] = [];
  const base = new URL(config.SVC_BASE_URL);
  if (!base.pathname.endsWith("/v2"))
    problems.push("  SVC_BASE_URL must end in /v2, the version that this service serves");
  if (config.SVC_WEBHOOK_ALLOW_INSECURE_TARGETS && !isLoopbackUrl(base)) {
    problems.push(
      "  SVC_WEBHOOK_ALLOW_INSECURE_TARGETS is for development: SVC_BASE_URL must then be a loopback address",
    );
  }
  if (problems.length > 0) throw new ConfigError("api", problems);
  return config;
}
