import { beforeAll, describe, expect, test } from "@jest/globals";
import { eventually, startWebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startApiProcess } from "./harness/api-process.ts";
import { startCommand, svcSource } from "./harness/command-line.ts";
import { temporaryFolder } from "./harness/system.ts";

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
}, 240_000);
const api = started(startApiProcess);

const access = () => ({ SVC_API_TOKEN: api.tenants[0].token, SVC_API_BASE_URL: api.baseUrl, HOME: folder });
const svc = (args: readonly string[], environment: Record<string, string> = access()) =>
  startCommand(svcSource, args, { environment, cwd: folder }).outcome;

describe("svc webhooks listen", () => {
  test("creates a webhook, and deletes it on Ctrl-C", async () => {
    const listening = startCommand(svcSource, ["webhooks", "listen"], { environment: access(), cwd: folder });
    await eventually("it listens", () => listening.stderr().includes("Ctrl-C"));
    const [webhook] = JSON.parse((await svc(["webhooks", "list"])).stdout).items;
    expect(listening.stderr()).toContain(webhook.id);
    const trigger = ["webhooks", "trigger", "container.transport.vessel_arrived", webhook.url];
    const signed = JSON.parse((await svc([...trigger, "--secret", webhook.secret])).stdout);
    expect(signed).toMatchObject({ succeeded: true, status_code: 204 });
    const unsigned = JSON.parse((await svc(trigger)).stdout);
    expect(unsigned.status_code).toBe(401);
    listening.interrupt();
    const { code, stdout } = await listening.outcome;
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).data.attributes.event),
    ).toEqual(["container.transport.vessel_arrived"]);
    expect(JSON.parse((await svc(["webhooks", "list"])).stdout).items).toEqual([]);
  });

  test("forwards bytes and signatures, and returns the receiver's response", async () => {
    const sink = await startWebhookSink();
    const args = ["webhooks", "listen", "--forward-to", sink.url];
    const listening = startCommand(svcSource, args, { environment: access(), cwd: folder });
    await eventually("it listens", () => listening.stderr().includes("Ctrl-C"));
    const [webhook] = JSON.parse((await svc(["webhooks", "list"])).stdout).items;
    const trigger = ["webhooks", "trigger", "container.created", webhook.url, "--secret", webhook.secret];
    const sent = JSON.parse((await svc(trigger)).stdout);
    expect(sent.succeeded).toBe(true);
    const [delivery] = sink.deliveries;
    expect(delivery?.body.toString()).toBe(sent.request_body);
    expect(delivery?.headers["x-svc-webhook-signature"]).toMatch(/^[0-9a-f]{64}$/);
    listening.interrupt();
    await listening.outcome;
    await sink.close();
  });
});
