import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { findRedisProgram } from "@svc/local-stores";
import { eventually, startWebhookSink, type WebhookSink } from "@svc/testkit";
import type { Resource } from "./harness/api-client.ts";
import { startCommand, svcSource } from "./harness/command-line.ts";
import { hasValidSignatures, readNotification } from "./harness/notifications.ts";
import { sailUntil } from "./harness/sandbox-clock.ts";
import { type System, startSystem, temporaryFolder } from "./harness/system.ts";

const timeoutMs = 120_000;
const createdWithinMs = 5_000;

const events = [
  "tracking_request.succeeded",
  "container.created",
  "container.transport.full_in",
  "container.transport.vessel_loaded",
  "container.transport.vessel_departed",
];

/** Redis where the machine has one; PostgreSQL everywhere. */
const queues = findRedisProgram() ? ["redis", "postgres"] : ["postgres"];

describe.each(queues)("from a tracking request to its webhooks, queue in %s", (queue) => {
  const folder = temporaryFolder();
  /** Folder in which the command line finds a running system. */
  const dataDir = path.join(folder, ".svc");
  let system: System;
  let sink: WebhookSink;
  let secret: string;
  let request: Resource;
  let shipment: Resource;
  let container: Resource;

  const received = (event: string) => `${event} arrives`;
  const isEvent = (event: string) => (delivery: Parameters<typeof readNotification>[0]) =>
    readNotification(delivery).event === event;

  beforeAll(async () => {
    [system, sink] = await Promise.all([startSystem({ dataDir, args: ["--queue", queue] }), startWebhookSink()]);
  }, timeoutMs);
  afterAll(async () => {
    await system?.stop();
    await sink?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test("the queue is where it was asked to be", () => {
    expect(system.runtime().queue).toBe(queue);
  });

  test("a webhook is created with a secret", async () => {
    const { status, body } = await system.api.create("/webhooks", "webhook", {
      url: `${sink.url}/hook`,
      active: true,
      events,
    });
    expect([status, body.errors]).toEqual([201, undefined]);
    secret = String(body.data.attributes.secret);
    expect(secret).toMatch(/^whsec_/);
  });

  test("a tracking request becomes a shipment within 5 s [spec: service.1]", async () => {
    const attributes = {
      request_type: "bill_of_lading",
      request_number: "SBXDIR000123",
      scac: "SBXL",
      ref_numbers: ["PO-77"],
    };
    const posted = await system.api.create("/tracking_requests", "tracking_request", attributes);
    expect([posted.status, posted.body.errors]).toEqual([201, undefined]);
    expect(posted.body.data.attributes.status).toBe("pending");
    request = await eventually(
      "the request is created",
      async () => {
        const { data } = (await system.api.get(`/tracking_requests/${posted.body.data.id}`)).body;
        return data.attributes.status === "created" && data;
      },
      createdWithinMs,
    );
    const tracked = request.relationships?.tracked_object?.data as { id: string; type: string };
    expect(tracked.type).toBe("shipment");
    const { body } = await system.api.get(`/shipments/${tracked.id}?include=containers`);
    shipment = body.data;
    expect(shipment.attributes).toMatchObject({ ref_numbers: ["PO-77"], shipping_line_scac: "SBXL" });
    const [first] = body.included ?? [];
    expect(first?.type).toBe("container");
    container = first as Resource;
    expect(container.attributes).toMatchObject({ ref_numbers: ["PO-77"] });
  });

  test("its success is notified, signed [spec: service.4, events.1, events.2, events.6]", async () => {
    const delivery = await sink.delivery(received("tracking_request.succeeded"), isEvent("tracking_request.succeeded"));
    expect(hasValidSignatures(delivery, secret)).toBe(true);
    expect(hasValidSignatures({ ...delivery, body: Buffer.from("{}") }, secret)).toBe(false);
    expect(readNotification(delivery).referenceId).toBe(request.id);
  });

  test("its containers are notified", async () => {
    const delivery = await sink.delivery(received("container.created"), isEvent("container.created"));
    expect(hasValidSignatures(delivery, secret)).toBe(true);
  });

  test(
    "milestones appear on the container and are notified as the voyage goes on",
    async () => {
      const milestones = events.filter((event) => event.startsWith("container.transport."));
      for (const event of milestones) {
        await sailUntil(system, received(event), () => sink.deliveries.some(isEvent(event)));
      }
      for (const delivery of sink.deliveries) expect(hasValidSignatures(delivery, secret)).toBe(true);
      const { body } = await system.api.get(`/containers/${container.id}/transport_events`);
      expect(body.data.map(({ attributes }) => attributes.event)).toEqual(expect.arrayContaining(milestones));
    },
    timeoutMs,
  );

  test("each notification was delivered once when all goes well", () => {
    const ids = sink.deliveries.map((delivery) => readNotification(delivery).id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("a shipment and a container are edited [spec: service.3, shipments.edit.ref_numbers, shipments.edit.tags, containers.edit.ref_numbers]", async () => {
    const edited = await system.api.request("PATCH", `/shipments/${shipment.id}`, {
      body: { data: { attributes: { ref_numbers: ["PO-78", "PO-79"], tags: ["urgent"] } } },
      headers: { "content-type": "application/json" },
    });
    expect([edited.status, edited.body.errors]).toEqual([200, undefined]);
    expect(edited.body.data.attributes).toMatchObject({ ref_numbers: ["PO-78", "PO-79"], tags: ["urgent"] });
    const containerEdit = await system.api.edit(`/containers/${container.id}`, "container", { ref_numbers: ["BOX-1"] });
    expect(containerEdit.body.data.attributes.ref_numbers).toEqual(["BOX-1"]);
  });

  test.each([
    ["tags that repeat", { tags: ["a", "a"] }, 422, "/data/attributes/tags"],
    ["null for a list", { ref_numbers: null }, 422, "/data/attributes/ref_numbers"],
    ["an attribute that cannot be edited", { pod_vessel_name: "X" }, 422, "/data/attributes/pod_vessel_name"],
  ])("an edit with %s is refused and changes nothing", async (_case, attributes, status, pointer) => {
    const response = await system.api.edit(`/shipments/${shipment.id}`, "shipment", attributes);
    expect(response.status).toBe(status);
    expect(response.body.errors?.[0]?.source?.pointer).toMatch(new RegExp(`^${pointer}`));
    expect((await system.api.get(`/shipments/${shipment.id}`)).body.data.attributes.tags).toEqual(["urgent"]);
  });

  test("rejects invalid requests with the matching status", async () => {
    const { api } = system;
    const unknown = "0199f0a0-0000-7000-8000-000000000001";
    const statuses = await Promise.all([
      api.request("GET", "/shipments", { headers: { authorization: "Token wrong" } }),
      api.get(`/shipments/${unknown}`),
      api.get("/no_such_thing"),
      api.get("/shipments?color=red"),
      api.request("PATCH", `/shipments/${shipment.id}`, { body: "{" }),
      api.request("PATCH", `/shipments/${shipment.id}`, { body: "a=1", headers: { "content-type": "text/plain" } }),
      api.request("DELETE", `/shipments/${shipment.id}`),
      api.edit(`/shipments/${shipment.id}`, "container", {}),
      api.create("/tracking_requests", "tracking_request", {}),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 404, 404, 400, 400, 415, 405, 409, 422]);
    for (const { body } of statuses) expect(body.errors?.length).toBeGreaterThan(0);
  });

  test("the same number again is a duplicate and names the first request", async () => {
    const attributes = { request_type: "bill_of_lading", request_number: "SBXDIR000123", scac: "SBXL" };
    const { status, body } = await system.api.create("/tracking_requests", "tracking_request", attributes);
    expect([status, body.errors?.[0]?.code]).toEqual([422, "duplicate"]);
    expect(JSON.stringify(body)).toContain(request.id);
  });

  test("the deep link leads to the container's page [spec: service.6, deep_link.1, deep_link.separators]", async () => {
    const number = String(container.attributes.container_number);
    const { app, token } = system.runtime();
    const response = await fetch(
      `${app}/shipments/find?q=${encodeURIComponent(`${number.slice(0, 4)} ${number.slice(4)}`.toLowerCase())}`,
      {
        redirect: "manual",
        headers: { authorization: `Token ${token}` },
      },
    );
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toMatch(
      new RegExp(`/shipments/${shipment.id}\\?container=${container.id}$`),
    );
  });

  test("the command line follows a number to its shipment, without any configuration", async () => {
    const track = (number: string) =>
      startCommand(svcSource, ["track", number, "--scac", "SBXL", "--type", "bill_of_lading"], {
        environment: { HOME: folder },
        cwd: folder,
      }).outcome;
    const first = await track("SBXDIR000124");
    expect(first.code).toBe(0);
    const tracked = JSON.parse(first.stdout);
    expect(tracked).toMatchObject({ billOfLading: "SBXDIR000124", shippingLineScac: "SBXL" });
    const again = await track("SBXDIR000124");
    expect(again.stderr).toContain("tracked already");
    expect(JSON.parse(again.stdout).id).toBe(tracked.id);
  }, 180_000);

  test("the MCP server finds the container through the API [spec: service.5, mcp.endpoint]", async () => {
    const { mcp, token } = system.runtime();
    const call = async (method: string, params: object) => {
      const response = await fetch(`${mcp}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      const text = await response.text();
      return JSON.parse(text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "{}"));
    };
    expect((await call("tools/list", {})).result.tools).toHaveLength(12);
    const found = await call("tools/call", { name: "get_container", arguments: { id: container.id } });
    expect(found.result.isError ?? false).toBe(false);
    expect(JSON.stringify(found.result)).toContain(String(container.attributes.container_number));
  });
});
