import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { instant } from "@svc/domain";
import type { Database } from "@svc/persistence";
import { startServiceProcess } from "@svc/testkit";
import { serveTestApi } from "../../../api/src/testing/serve-test-api.ts";

const workerEntry = fileURLToPath(new URL("../../../webhook-worker/src/main.ts", import.meta.url));

/** As a deployment has it by default. */
const refreshesPerMinute = 10;

/** Refuses every connection. */
const noMailServer = "smtp://127.0.0.1:1";

/** The API, and the webhook worker if pages show what it does. */
export interface TestServices {
  readonly apiBaseUrl: string;
  stop(): Promise<void>;
}

/** Requires a migrated database. Allows deliveries to loopback addresses. */
export async function startServices(
  { database, databaseUrl }: { readonly database: Database; readonly databaseUrl: string },
  withWorker: boolean,
): Promise<TestServices> {
  const secretKey = randomBytes(32).toString("base64");
  const api = await serveTestApi(
    database,
    { now: () => instant(Date.now()) },
    { secretKey, allowInsecureWebhookTargets: true, limits: { refresh: refreshesPerMinute } },
  );
  const worker = withWorker
    ? await startServiceProcess(workerEntry, {
        DATABASE_URL: databaseUrl,
        SVC_QUEUE_URL: databaseUrl,
        SVC_SECRET_KEY: secretKey,
        SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
        SVC_MAIL_FROM: "alerts@example.com",
        SVC_SMTP_URL: noMailServer,
        LOG_LEVEL: "warn",
      })
    : null;
  return {
    apiBaseUrl: api.url,
    async stop() {
      await Promise.all([api.stop(), worker?.stop()]);
    },
  };
}
