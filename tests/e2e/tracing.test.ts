import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import {
  addApiToken,
  addTrackedShipments,
  createDeliveryFixture,
  createTestDatabase,
  type DeliveryFixture,
  eventually,
  type ServiceProcess,
  startServiceProcess,
  startWebhookSink,
  type WebhookSink,
} from "@svc/testkit";
import { repository } from "./harness/system.ts";

interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

const secretKey = randomBytes(32).toString("base64");
const client = { traceId: randomBytes(16).toString("hex"), spanId: randomBytes(8).toString("hex") };
const traceparent = `00-${client.traceId}-${client.spanId}-01`;

/** A collector as OTLP over HTTP describes it. */
const spans: Span[] = [];
const collector = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    for (const { resource, scopeSpans } of JSON.parse(String(Buffer.concat(chunks))).resourceSpans) {
      const service = resource.attributes[0].value.stringValue;
      for (const scope of scopeSpans)
        spans.push(...scope.spans.map((span: Omit<Span, "service">) => ({ service, ...span })));
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
});

describe.each([
  ["with a collector", true],
  ["without one", false],
])("a trace from an API write to the receiver, %s", (_name, traced) => {
  const traceContext = { traceId: randomBytes(16).toString("hex"), spanId: randomBytes(8).toString("hex") };
  let fixture: DeliveryFixture;
  let sink: WebhookSink;
  let services: ServiceProcess[];
  let mcp: ServiceProcess;
  let token: string;
  let send: (shipmentId: string, headers?: Record<string, string>) => Promise<Response>;

  beforeAll(async () => {
    if (traced) await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    const databaseUrl = await createTestDatabase();
    fixture = await createDeliveryFixture(databaseUrl);
    sink = await startWebhookSink();
    await fixture.addWebhook({ url: sink.url, sealedSecret: createSecretBox(secretKey).seal("whsec_c2VjcmV0") });
    const environment = {
      DATABASE_URL: databaseUrl,
      SVC_QUEUE_URL: databaseUrl,
      SVC_SECRET_KEY: secretKey,
      SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
      ...(traced && {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      }),
    };
    services = await Promise.all(
      ["api", "webhook-worker"].map((app) =>
        startServiceProcess(path.join(repository, "apps", app, "src/main.ts"), environment),
      ),
    );
    mcp = await startServiceProcess(path.join(repository, "apps/mcp/src/main.ts"), {
      SVC_API_BASE_URL: `${services[0]?.url}/v2`,
      ...(traced && { OTEL_EXPORTER_OTLP_ENDPOINT: environment.OTEL_EXPORTER_OTLP_ENDPOINT ?? "" }),
    });
    services.push(mcp);
    token = await addApiToken(fixture.pool, fixture.accountId);
    send = (id, headers) =>
      fetch(`${services[0]?.url}/v2/shipments/${id}/stop_tracking`, {
        method: "PATCH",
        headers: { authorization: `Token ${token}`, ...headers },
      });
  }, 180_000);
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await sink.close();
    await fixture.close();
    collector.closeAllConnections();
    collector.close();
  });

  test("continues the client's trace", async () => {
    const [shipment = ""] = await addTrackedShipments(fixture.pool, fixture.accountId, 1);
    expect((await send(shipment, { traceparent })).status).toBe(200);
    const delivery = await sink.delivery("the delivery", () => true);
    if (!traced) {
      expect(delivery.headers.traceparent).toBe(traceparent);
      return;
    }
    const chain = await eventually("the spans", () => {
      const all = spans.filter(({ traceId }) => traceId === client.traceId);
      return all.length >= 3 && all;
    });
    const under = (parent: string) => chain.filter(({ parentSpanId }) => parentSpanId === parent);
    const [write] = under(client.spanId);
    const [relay] = under(write?.spanId ?? "");
    const [deliver] = under(relay?.spanId ?? "");
    expect([write, relay, deliver].map((span) => [span?.service, span?.name])).toEqual([
      ["api", "stopShipmentTracking"],
      ["webhook-worker", "webhook.relay"],
      ["webhook-worker", "webhook.deliver"],
    ]);
    expect(delivery.headers.traceparent).toBe(`00-${client.traceId}-${deliver?.spanId}-01`);
  });

  test("a call of an MCP tool is traced to the receiver", async () => {
    const [id = ""] = await addTrackedShipments(fixture.pool, fixture.accountId, 1);
    const _meta = { traceparent: `00-${traceContext.traceId}-${traceContext.spanId}-01` };
    const params = { name: "update_shipment", arguments: { id, tracking: "stop" }, _meta };
    const response = await fetch(`${mcp.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("stopped")]);
    const { headers } = await sink.delivery("the delivery", ({ headers: { traceparent: receivedParent } }) =>
      Boolean(receivedParent?.includes(traceContext.traceId)),
    );
    if (!traced) {
      expect(headers.traceparent).toBe(_meta.traceparent);
      return;
    }
    const delivered = String(headers.traceparent).split("-")[2];
    const chain = await eventually("the spans", () => {
      const all = spans.filter(({ traceId }) => traceId === traceContext.traceId);
      return all.some(({ spanId }) => spanId === delivered) && all.some(({ service }) => service === "mcp") && all;
    });
    const names: string[] = [];
    for (let span = chain.find(({ spanId }) => spanId === delivered); span; ) {
      names.push(`${span.service}: ${span.name}`);
      const { parentSpanId } = span;
      span = chain.find(({ spanId }) => spanId === parentSpanId);
    }
    expect(names).toEqual([
      "webhook-worker: webhook.deliver",
      "webhook-worker: webhook.relay",
      "api: stopShipmentTracking",
      "mcp: tools/call update_shipment",
    ]);
  });

  test("without a trace of the client one begins only where it is collected", async () => {
    const [shipment = ""] = await addTrackedShipments(fixture.pool, fixture.accountId, 1);
    await send(shipment);
    const { headers } = await sink.delivery("the delivery", ({ headers: { traceparent: receivedParent } }) =>
      receivedParent === undefined
        ? !traced
        : ![client, traceContext].some(({ traceId }) => receivedParent.includes(traceId)),
    );
    if (traced) expect(headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    else expect(headers.traceparent).toBeUndefined();
  });
});
