import { egressVariables, isLoopbackUrl } from "@svc/egress";
import { queueUrl } from "@svc/queue";
import { ConfigError, databaseVariables, flag, processVariables, readConfig, secretKeys } from "@svc/service-kit";
import { z } from "zod";

const count = (fallback: number, max: number) => z.coerce.number().int().min(1).max(max).default(fallback);

export const variables = {
  ...processVariables,
  ...databaseVariables,
  SVC_QUEUE_URL: queueUrl.describe(
    "job queue: postgresql://…, or a Redis: redis://host, redis+sentinel://host,host/master or redis+cluster://host,host (rediss for TLS); see docs/high-availability.md",
  ),
  SVC_QUEUE_PREFIX: z
    .string()
    .regex(/^[\w-]+$/)
    .default("svc")
    .describe("prefix that separates installations in one Redis"),
  SVC_SECRET_KEY: secretKeys.describe("keys as for the API, which decrypt the webhooks' secrets"),
  SVC_BASE_URL: z.url().default("http://localhost:4000/v2").describe("public address of the API"),
  SVC_APP_URL: z
    .url({ protocol: /^https?$/ })
    .default("http://localhost:4002")
    .transform((url) => url.replace(/\/+$/, ""))
    .describe("public address of the web application, for the links in mails"),
  SVC_SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      "mail server that sends alerts and links for a lost password, for example smtps://user:password@mail.example.com; without it, no e-mail is sent",
    ),
  SVC_MAIL_FROM: z
    .email()
    .optional()
    .describe("sender's address of e-mails, the same for the API and the web application"),
  SVC_CLOCK_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("URL of the demo's accelerated clock, by which snoozes end; default: real time"),
  SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: flag.describe("allows http:// and loopback webhook targets, for development"),
  ...egressVariables,
  SVC_WEBHOOK_FAST_JOBS: count(16, 1_000).describe(
    "maximum number of concurrent jobs of healthy endpoints, 25 deliveries each",
  ),
  SVC_WEBHOOK_SLOW_JOBS: count(64, 1_000).describe(
    "maximum number of concurrent jobs of slow or failing endpoints, one delivery each",
  ),
  SVC_WEBHOOK_ENDPOINT_LIMIT: count(50, 1_000).describe(
    "maximum number of concurrent deliveries to one healthy endpoint; more than 50 are never used",
  ),
  SVC_WEBHOOK_DATABASE_CONNECTIONS: count(8, 100).describe("maximum number of PostgreSQL connections of this process"),
  SVC_WEBHOOK_BACKLOG_LIMIT: count(100_000, 10_000_000).describe(
    "maximum number of pending notifications of one webhook, ten times as many while it receives; checked each hour: the oldest beyond it fail and can be recovered",
  ),
  SVC_WEBHOOK_RETENTION_DAYS: count(90, 3_650).describe(
    "retention of notifications, notices and attempts, in days; pending deliveries are kept",
  ),
};

export type WebhookWorkerConfig = Readonly<z.output<z.ZodObject<typeof variables>>>;

/** Throws ConfigError, also when a public installation would allow the targets of local development. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): WebhookWorkerConfig {
  const config = readConfig("webhook-worker", variables, environment);
  if (config.SVC_WEBHOOK_ALLOW_INSECURE_TARGETS && !isLoopbackUrl(new URL(config.SVC_BASE_URL))) {
    throw new ConfigError("webhook-worker", [
      "  SVC_WEBHOOK_ALLOW_INSECURE_TARGETS must be off unless SVC_BASE_URL is on localhost: it lets users reach the" +
        " machine's own services",
    ]);
  }
  if ((config.SVC_SMTP_URL === undefined) !== (config.SVC_MAIL_FROM === undefined)) {
    throw new ConfigError("webhook-worker", ["  SVC_SMTP_URL and SVC_MAIL_FROM belong together: set both or neither"]);
  }
  return config;
}
