import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import {
  AuthenticationError,
  type Client,
  createClient,
  NotFoundError,
  PreconditionFailedError,
  RateLimitError,
  ValidationError,
} from "@svc/sdk";
import { verifyWebhook } from "@svc/sdk/webhooks";
import { eventually, startWebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startApiProcess } from "./harness/api-process.ts";

let client: Client;
let shipment: { id: string; containerIds: readonly string[] };

const api = started(startApiProcess);
beforeAll(async () => {
  const [own, other] = api.tenants;
  client = createClient({ token: own.token, baseUrl: api.baseUrl });
  shipment = await api.addShipment(own, {
    number: "MAEU262175000",
    containers: ["MSKU0000006", "CSQU3054383"],
    departedAt: new Date("2026-10-02T00:00:00Z"),
    dischargeLocode: "USLAX",
    refNumbers: ["PO-4711"],
  });
  for (let index = 0; index < 25; index++) await api.addShipment(own, { number: `SBXL90000${index}`, scac: "SBXL" });
  await api.addShipment(other, { number: "MAEU999999999", containers: ["TCLU1234568"] });
}, 180_000);

describe("the client against the real API", () => {
  test("reads one shipment raw, mapped and both, with ids resolved", async () => {
    const { raw, mapped } = await client.shipments.get(shipment.id, { format: "both" });
    expect(raw.data.attributes).toMatchObject({ bill_of_lading_number: "MAEU262175000", ref_numbers: ["PO-4711"] });
    expect(mapped.containers.map((container) => container.number).sort()).toEqual(["CSQU3054383", "MSKU0000006"]);
    expect(mapped.ports.portOfDischarge).toMatchObject({ locode: "USLAX", countryCode: "US" });
    expect(mapped.billOfLading).toBe("MAEU262175000");
    expect(await client.shipments.get(shipment.id, { format: "mapped" })).toEqual(mapped);
  });

  test("filters are the API's own: status, port, carrier, reference, time", async () => {
    const count = async (filter: Parameters<typeof client.shipments.list>[0]) =>
      (await client.shipments.list(filter)).meta?.page?.total;
    expect(await count({ filter: { carrier: "SBXL" } })).toBe(25);
    expect(await count({ filter: { status: "in_transit" } })).toBe(1);
    expect(await count({ filter: { status: ["in_transit", "pending"] } })).toBe(26);
    expect(await count({ filter: { port: "USLAX" } })).toBe(1);
    expect(await count({ filter: { refNumber: "PO-4711" } })).toBe(1);
    expect(await count({ filter: { updatedAfter: new Date(Date.now() + 60_000) } })).toBe(0);
  });

  test("iterates over every page once", async () => {
    const ids = new Set<string>();
    let rows = 0;
    for await (const row of client.shipments.iterate({ pageSize: 10 })) {
      ids.add(row.id);
      rows++;
    }
    expect([ids.size, rows]).toEqual([26, 26]);
    const page = await client.shipments.list({ page: 3, pageSize: 10 }, { format: "mapped" });
    expect(page.items).toHaveLength(6);
    expect(page.links.next).toBeUndefined();
  });

  test("containers come with their shipment, and their events with an empty history", async () => {
    const [id = ""] = shipment.containerIds;
    const container = await client.containers.get(id, { format: "mapped" });
    expect(container).toMatchObject({ number: "MSKU0000006", shipment: { billOfLading: "MAEU262175000" } });
    expect((await client.containers.transportEvents(id, {}, { format: "mapped" })).items).toEqual([]);
  });

  test("edits, and refuses a lost update [spec: shipments.edit.tags, containers.edit.ref_numbers]", async () => {
    let etag = "";
    await client.shipments.get(shipment.id, { onResponse: ({ headers }) => (etag = headers.get("etag") ?? "") });
    const edited = await client.shipments.update(
      shipment.id,
      { tags: ["urgent"] },
      { ifMatch: etag, format: "mapped" },
    );
    expect(edited).toMatchObject({ tags: ["urgent"], refNumbers: ["PO-4711"] });
    const late = client.shipments.update(shipment.id, { tags: [] }, { ifMatch: etag });
    await expect(late).rejects.toBeInstanceOf(PreconditionFailedError);
    const [id = ""] = shipment.containerIds;
    const container = await client.containers.update(id, { refNumbers: ["BOX-1"] });
    expect(container.data.attributes.ref_numbers).toEqual(["BOX-1"]);
  });

  test("refusals are typed and say where [spec: limits.2, G6]", async () => {
    const error = await client.shipments.update(shipment.id, { tags: ["a", "a"] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).pointers.join()).toContain("/data/attributes/tags");
    expect((error as ValidationError).requestId).toMatch(/./);
    const foreign = createClient({ token: api.tenants[1].token, baseUrl: api.baseUrl });
    await expect(foreign.shipments.get(shipment.id)).rejects.toBeInstanceOf(NotFoundError);
    const unauthorizedClient = createClient({ token: "svc_live_nobody", baseUrl: api.baseUrl });
    await expect(unauthorizedClient.shipments.list()).rejects.toBeInstanceOf(AuthenticationError);
  });

  test("a creation with one key acts once, and a second one is a duplicate that names the first", async () => {
    const request = { requestType: "bill_of_lading", requestNumber: "SBXL77777777", scac: "SBXL" } as const;
    const once = await client.trackingRequests.create(request, { idempotencyKey: "key-1", format: "mapped" });
    const again = await client.trackingRequests.create(request, { idempotencyKey: "key-1", format: "mapped" });
    expect(again.id).toBe(once.id);
    const error = await client.trackingRequests.create(request).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).faults[0]).toMatchObject({
      code: "duplicate",
      meta: { tracking_request_id: once.id },
    });
    const found = await client.trackingRequests.list({
      filter: { requestNumber: "SBXL77777777", createdTo: new Date() },
    });
    expect(found.data.map((row) => row.id)).toEqual([once.id]);
  });

  test("custom fields are defined, set, listed and taken away", async () => {
    const { customFields } = client;
    const definition = await customFields.define({
      entityType: "Shipment",
      apiSlug: "priority",
      displayName: "Priority",
      dataType: "enum",
    });
    await customFields.addOption(definition.data.id, { label: "High", value: "high" });
    const field = { apiSlug: "priority", value: "high" };
    const set = await customFields.set("shipments", shipment.id, field, { format: "mapped" });
    expect(set).toMatchObject({ apiSlug: "priority", value: "high", displayValue: "High" });
    const listed = await customFields.list({ filter: { definitionId: definition.data.id } });
    expect(listed.data.map(({ id }) => id)).toEqual([set.id]);
    await customFields.remove("shipments", shipment.id, "priority");
    expect((await customFields.listOf("shipments", shipment.id)).data).toEqual([]);
    await customFields.deleteDefinition(definition.data.id);
    expect((await customFields.listDefinitions()).data).toEqual([]);
  });

  test("webhooks are made, listed, changed and deleted [spec: webhooks.list, webhooks.edit]", async () => {
    const { data } = await client.webhooks.create({
      url: "https://example.com/hook",
      events: ["container.transport.*"],
    });
    expect(data.attributes).toMatchObject({ active: true, secret: expect.stringMatching(/^whsec_/) });
    expect((await client.webhooks.update(data.id, { active: false })).data.attributes.active).toBe(false);
    expect((await client.webhooks.list({}, { format: "mapped" })).items).toMatchObject([
      { id: data.id, active: false },
    ]);
    await client.webhooks.delete(data.id);
    await expect(client.webhooks.get(data.id)).rejects.toBeInstanceOf(NotFoundError);
  });
});

describe("the client's webhook operations against the real API", () => {
  let webhookId: string;
  const addNotifications = async (deliveryStatus: string, count: number): Promise<string[]> => {
    const [{ accountId }] = api.tenants;
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const [eventId, id] = [uuidV7.next(), uuidV7.next()];
      const event = { accountId, event: "container.created", createdAt: new Date() };
      await api.database.prisma.notificationEvent.create({
        data: { ...event, id: eventId, referenceType: "container_created_event", referenceId: eventId, included: "[]" },
      });
      await api.database.prisma.webhookNotification.create({
        data: { ...event, id, eventId, webhookId },
      });
      const { event: _event, ...delivery } = event;
      await api.database.prisma.webhookDelivery.create({
        data: { ...delivery, notificationId: id, eventId, webhookId, deliveryStatus },
      });
      ids.push(id);
    }
    return ids;
  };
  const sink = started(startWebhookSink);
  beforeAll(async () => {
    webhookId = (await client.webhooks.create({ url: "https://example.com/hook", events: ["*"] })).data.id;
  });

  test("a sample is triggered, and its signature verified by the receiver's kit [spec: webhooks.trigger.*]", async () => {
    const secret = "whsec_c2VjcmV0";
    const result = await client.webhooks.trigger({
      url: sink.url,
      event: "container.transport.vessel_arrived",
      secret,
    });
    expect(result).toMatchObject({ succeeded: true, status_code: 200, error: null });
    const [delivery] = sink.deliveries;
    const headers = new Headers(Object.entries(delivery?.headers ?? {}).map(([name, value]) => [name, String(value)]));
    const event = await verifyWebhook({ body: delivery?.body ?? "", headers, secret });
    expect(event.event).toBe("container.transport.vessel_arrived");
    expect(event.resource?.type).toBe("transport_event");
    const failed = await client.webhooks.trigger({ url: "http://127.0.0.1:1/x", event: "container.created" });
    expect(failed).toMatchObject({ succeeded: false, status_code: null });
    const refused = client.webhooks.trigger({ url: "ftp://example.com", event: "container.created" });
    await expect(refused).rejects.toBeInstanceOf(ValidationError);
  });

  test("examples show every event that is listed", async () => {
    const { data } = await client.webhooks.events();
    for (const { name } of data.flatMap(({ attributes }) => attributes.events)) {
      const examples = await client.notifications.examples(name as Parameters<typeof client.notifications.examples>[0]);
      expect(examples.data.map(({ attributes }) => attributes.event)).toEqual([name]);
    }
  });

  test("a secret is rotated, and the same key rotates once", async () => {
    const before = (await client.webhooks.get(webhookId)).data.attributes.secret;
    const rotated = await client.webhooks.rotateSecret(webhookId, { idempotencyKey: "rotate-1" });
    const again = await client.webhooks.rotateSecret(webhookId, { idempotencyKey: "rotate-1" });
    expect(rotated.data.attributes.secret).not.toBe(before);
    expect(again).toEqual(rotated);
    expect((await client.webhooks.get(webhookId)).data).toEqual(rotated.data);
  });

  test("reads missed notifications on from a position, recovers them and redelivers them", async () => {
    const created = await addNotifications("failed", 3);
    const first = await eventually("the feed has them", async () => {
      const page = await client.webhooks.notifications(webhookId, { pageSize: 2 });
      return page.meta?.page?.total === 3 && page;
    });
    const after = first.meta?.page?.end_cursor ?? undefined;
    const rest = await client.webhooks.notifications(webhookId, { after });
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(created);
    expect(first.data[0]?.attributes.body.data.id).toBe(created[0]);
    const all: string[] = [];
    for await (const { id } of client.webhooks.iterateNotifications(webhookId)) all.push(id);
    expect(all).toEqual(created);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect(await client.webhooks.recover(webhookId, { since, only: "failed" })).toEqual({ recovered: 3 });
    expect(await client.webhooks.recover(webhookId, { since })).toEqual({ recovered: 0 });
    const [id = ""] = await addNotifications("failed", 1);
    await client.notifications.redeliver(id);
    expect((await client.notifications.get(id)).data.attributes.delivery_status).toBe("pending");
    expect((await client.notifications.attempts(id)).data).toEqual([]);
  });

  test("another account's webhook is not found by any of them", async () => {
    const foreign = createClient({ token: api.tenants[1].token, baseUrl: api.baseUrl });
    const since = new Date().toISOString();
    for (const call of [
      () => foreign.webhooks.rotateSecret(webhookId),
      () => foreign.webhooks.recover(webhookId, { since }),
      () => foreign.webhooks.notifications(webhookId),
    ]) {
      await expect(call()).rejects.toBeInstanceOf(NotFoundError);
    }
  });
});

test("a rate limit error carries the time to wait [spec: errors.429]", async () => {
  const limited = await startApiProcess({ SVC_RATE_LIMIT_DEFAULT: "3" });
  try {
    const { token } = limited.tenants[0];
    const impatient = createClient({ token, baseUrl: limited.baseUrl, maxRetries: 0 });
    for (let index = 0; index < 3; index++) await impatient.shipments.list();
    const error = await impatient.shipments.list().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as RateLimitError).retryAfterSeconds).toBeGreaterThan(0);
  } finally {
    await limited.stop();
  }
}, 180_000);
