import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { startServiceProcess } from "@svc/testkit";

const entryOf = (service: string): string => fileURLToPath(new URL(`../../../${service}/src/main.ts`, import.meta.url));

/** Refuses every connection. */
const noMailServer = "smtp://127.0.0.1:1";

/** The API, and the webhook worker if pages show what it does. */
export interface TestServices {
  readonly apiBaseUrl: string;
  stop(): Promise<void>;
}

/** Requires a migrated database. Allows deliveries to loopback addresses. */
export async function startServices(databaseUrl: string, withWorker: boolean): Promise<TestServices> {
  const environment = {
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEY: randomBytes(32).toString("base64"),
    SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
    LOG_LEVEL: "warn",
    SVC_MAIL_FROM: "alerts@example.com",
  };
  const workerEnvironment = { ...environment, SVC_QUEUE_URL: databaseUrl, SVC_SMTP_URL: noMailServer };
  const [api, worker] = await Promise.all([
    startServiceProcess(entryOf("api"), { ...environment, SVC_RATE_LIMIT_SESSION: "10000" }),
    withWorker ? startServiceProcess(entryOf("webhook-worker"), workerEnvironment) : null,
  ]);
  return {
    apiBaseUrl: `${api.url}/v2`,
    async stop() {
      await Promise.all([api.stop(), worker?.stop()]);
    },
  };
}
