import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createEgressAgent } from "@svc/egress";
import { createSecretBox } from "@svc/persistence";
import { openTestDatabase } from "@svc/persistence/testing";
import { createLogger } from "@svc/service-kit";
import { startWebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createMailer } from "../mail/mailer.ts";
import { clock, createAlertHarness, soon } from "../testing/alert-harness.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { createAlertSender } from "./send-alert.ts";
import { startAlerts } from "./start-alerts.ts";

const box = createSecretBox(randomBytes(32).toString("base64"));
const policy = { allowInsecureTargets: true };
const agent = createEgressAgent(policy);
const appUrl = "https://tracking.example.com";

let alerts: ReturnType<typeof startAlerts>;
// The hook stops the loops before the stores below are closed.
afterAll(async () => {
  await alerts.stop();
  await agent.destroy();
});

const database = started(openTestDatabase);
const harness = started(() => createAlertHarness(database, box));
const mails = started(startMailServer);
const mailer = started(() => createMailer({ smtpUrl: mails.url, from: "alerts@example.com" }));
beforeAll(() => {
  alerts = startAlerts({
    database,
    clock,
    sender: createAlertSender({ mailer, appUrl, box, agent, policy }),
    channels: ["slack", "teams"],
    logger: createLogger({ service: "test", level: "silent" }),
    everyMs: 100,
    onSettled: () => undefined,
  });
});

test.each(["slack", "teams"] as const)("%s receives texts that are no markup, and the link", async (channel) => {
  const account = await harness.newAccount("<!channel> *Co*");
  const sink = await startWebhookSink();
  const id = await harness.subscribeChannel(account, channel, `${sink.url}/secret`);
  const [exceptionId] = await harness.open(account, ["MAEU<13>"]);
  await soon(() => expect(sink.deliveries).toHaveLength(1));
  const body = String(sink.deliveries[0]?.body);
  expect(body).toContain(`${appUrl}/attention/${exceptionId}`);
  if (channel === "slack") expect(body).toContain("&lt;!channel&gt;");
  else expect(JSON.parse(body).attachments[0].content.type).toBe("AdaptiveCard");
  await soon(async () => expect((await harness.find(account, id))?.lastSentAt).not.toBeNull());
  const sealed = "SELECT sealed_url FROM alert_subscriptions WHERE id = $1";
  const [row] = await harness.query<{ sealed_url: Buffer }>(sealed, id);
  expect(row?.sealed_url.includes("secret")).toBe(false);
  await sink.close();
});

test("posts nothing to a channel at a private address", async () => {
  const account = await harness.newAccount();
  const id = await harness.subscribeChannel(account, "slack", "https://10.0.0.1/hook");
  await harness.open(account, ["MAEU14"]);
  await soon(async () => expect((await harness.find(account, id))?.lastError).toMatch(/not at a public address/));
  expect(await harness.messagesOf(id)).toMatchObject([{ attempts: 1, failed_at: expect.any(String) }]);
});
