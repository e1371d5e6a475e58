import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually, startWebhookSink, type WebhookSink } from "@svc/testkit";
import type { Resource } from "./harness/api-client.ts";
import { hasValidSignatures, readNotification } from "./harness/notifications.ts";
import { sailUntil } from "./harness/sandbox-clock.ts";
import { type System, startSystem, temporaryFolder } from "./harness/system.ts";

const timeoutMs = 180_000;
const dataDir = temporaryFolder();
let system: System;
let sink: WebhookSink;
let secret: string;

beforeAll(async () => {
  [system, sink] = await Promise.all([startSystem({ dataDir, args: ["--queue", "postgres"] }), startWebhookSink()]);
  const attributes = { url: `${sink.url}/hook`, active: true, events: ["exception.*"] };
  const { body } = await system.api.create("/webhooks", "webhook", attributes);
  secret = String(body.data.attributes.secret);
  await system.api.create("/tracking_requests", "tracking_request", {
    request_type: "bill_of_lading",
    request_number: "SBXHLD000123",
    scac: "SBXL",
  });
}, timeoutMs);
afterAll(async () => {
  await system?.stop();
  await sink?.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

/** Returns the received notifications of the kind, as "event id". */
const received = (kind?: string) =>
  sink.deliveries.map(readNotification).flatMap(({ event, referenceId, included: [exception] }) => {
    return kind === undefined || exception?.attributes.kind === kind ? `${event} ${referenceId}` : [];
  });

const listed = async (filter: string): Promise<Resource[]> =>
  (await system.api.get(`/exceptions?page[size]=100&${filter}`)).body.data;

test(
  "a customs hold is notified when it begins and when it ends, signed, once each",
  async () => {
    await sailUntil(system, "the end of the hold arrives", () =>
      received("customs_hold").some((one) => one.startsWith("exception.resolved")),
    );
    const [hold] = await listed("filter[kind]=customs_hold");
    expect(received("customs_hold")).toEqual([`exception.opened ${hold?.id}`, `exception.resolved ${hold?.id}`]);
    const [first] = sink.deliveries;
    expect(first && hasValidSignatures(first, secret)).toBe(true);
    const { included } = readNotification(first as NonNullable<typeof first>);
    expect(included.map(({ type }) => type)).toEqual(expect.arrayContaining(["exception", "shipment"]));
  },
  timeoutMs,
);

test(
  "notifies the resolution by a member at once, and not again when the condition ends",
  async () => {
    const over = await sailUntil(
      system,
      "free time is over",
      async () => (await listed("filter[kind]=last_free_day_over&filter[status]=open"))[0],
    );
    await system.api.edit(`/exceptions/${over.id}`, "exception", { status: "resolved" });
    await eventually("the resolution arrives", () => received().includes(`exception.resolved ${over.id}`));
    await sailUntil(system, "its condition ends", async () => {
      const { body } = await system.api.get(`/exceptions/${over.id}`);
      return body.data.attributes.ended_at !== null;
    });
    const resolved = await listed("filter[status]=resolved");
    await eventually("every change arrived", () =>
      resolved.every(({ id }) => received().includes(`exception.resolved ${id}`)),
    );
    expect(received().length).toBe(new Set(received()).size);
  },
  timeoutMs,
);
