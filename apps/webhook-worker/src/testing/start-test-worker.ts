import { randomUUID } from "node:crypto";
import { createLogger, type RunningService } from "@svc/service-kit";
import { Registry } from "prom-client";
import { loadConfig, type WebhookWorkerConfig } from "../config.ts";
import { startWorker } from "../start-worker.ts";

/** Configuration of a worker with a queue of its own on PostgreSQL, unless `more` overrides it. */
export const testWorkerConfig = (
  databaseUrl: string,
  secretKey: string,
  more: Readonly<Record<string, string>> = {},
): WebhookWorkerConfig =>
  loadConfig({
    PORT: "0",
    DATABASE_URL: databaseUrl,
    SVC_QUEUE_URL: databaseUrl,
    SVC_QUEUE_PREFIX: `test-${randomUUID()}`,
    SVC_SECRET_KEY: secretKey,
    SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
    ...more,
  });

/** Logs nothing. */
export const startTestWorker = (config: WebhookWorkerConfig, metrics = new Registry()): Promise<RunningService> =>
  startWorker(config, { logger: createLogger({ service: "test", level: "silent" }), metrics });
