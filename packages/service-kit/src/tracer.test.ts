import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { context, propagation, SpanStatusCode, trace } from "@opentelemetry/api";
import { createTracer, type Tracer } from "./tracer.ts";

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const unsampled = traceparent.replace(/01$/, "00");
const noError = (error: Error) => {
  throw error;
};

describe("without a collector", () => {
  const tracer = createTracer("api", {}, noError);
  test("passes a trace on unchanged and starts none", () => {
    expect(tracer.startSpan(traceparent, "server").traceparent).toBe(traceparent);
    expect(tracer.startSpan(unsampled, "server").traceparent).toBe(unsampled);
    expect(tracer.startSpan(undefined, "server").traceparent).toBeNull();
  });
  test.each([
    "",
    "garbage",
    traceparent.toUpperCase(),
    `${traceparent}-more`,
    traceparent.replace(/^00/, "ff"),
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${"0".repeat(16)}-01`,
    [traceparent, traceparent],
  ])("treats %p as no trace", (header) => {
    expect(tracer.startSpan(header, "server").traceparent).toBeNull();
  });
});

describe("with a collector", () => {
  const requests: { url: string | undefined; headers: Record<string, unknown>; body: string }[] = [];
  let status = 200;
  const collector = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      requests.push({ url: request.url, headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  let tracer: Tracer;
  const start = async (errors: Error[] = []) => {
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-team=ocean%20freight, x-b=c=d",
    };
    tracer = createTracer("api", environment, (error) => errors.push(error));
  };
  afterEach(async () => {
    await tracer.close();
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
    requests.length = 0;
    status = 200;
  });

  test("sends a span with its parent, times and attributes", async () => {
    await start();
    const span = tracer.startSpan(traceparent, "server", 1_700_000_000_123);
    expect(span.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/);
    span.end("stop", {
      attributes: { "http.response.status_code": 503, account: null },
      failed: true,
      atMs: 1_700_000_000_456,
    });
    await tracer.close();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ url: "/v1/traces", headers: { "x-team": "ocean freight", "x-b": "c=d" } });
    const sent = JSON.parse(requests[0]?.body ?? "").resourceSpans[0];
    expect(sent.resource.attributes).toEqual([{ key: "service.name", value: { stringValue: "api" } }]);
    expect(sent.scopeSpans[0].spans).toEqual([
      {
        traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
        spanId: span.traceparent?.split("-")[2],
        parentSpanId: "00f067aa0ba902b7",
        name: "stop",
        kind: 2,
        startTimeUnixNano: "1700000000123000000",
        endTimeUnixNano: "1700000000456000000",
        attributes: [{ key: "http.response.status_code", value: { intValue: "503" } }],
        status: { code: 2 },
      },
    ]);
  });

  test("starts a trace for a span without a parent, and does not send a span that its caller does not sample", async () => {
    await start();
    const root = tracer.startSpan(undefined, "internal");
    expect(root.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    tracer.startSpan(unsampled, "internal").end("unseen");
    expect(tracer.startSpan(unsampled, "internal").traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-.*-00$/);
    await tracer.close();
    expect(requests).toEqual([]);
  });

  test("spans of libraries are children of the span in which they run", async () => {
    await start();
    const span = tracer.startSpan(traceparent, "server");
    const carrier: Record<string, string> = {};
    await span.run(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      propagation.inject(context.active(), carrier);
      trace.getTracer("library").startActiveSpan("query", { attributes: { rows: [1, 2], cached: false } }, (query) => {
        trace.getTracer("library").startSpan("parse").end();
        query.recordException(new Error("no index"));
        query.setStatus({ code: SpanStatusCode.ERROR, message: "slow" }).end();
      });
    });
    expect(trace.getActiveSpan()).toBeUndefined();
    span.end("read");
    await tracer.close();
    expect(carrier).toEqual({ traceparent: span.traceparent });
    const { scopeSpans } = JSON.parse(requests[0]?.body ?? "").resourceSpans[0];
    const librarySpans = scopeSpans.find(({ scope }: { scope: { name: string } }) => scope.name === "library").spans;
    const query = librarySpans.find(({ name }: { name: string }) => name === "query");
    expect(query).toMatchObject({
      traceId: traceparent.split("-")[1],
      parentSpanId: span.traceparent?.split("-")[2],
      attributes: [
        { key: "rows", value: { arrayValue: { values: [{ intValue: "1" }, { intValue: "2" }] } } },
        { key: "cached", value: { boolValue: false } },
      ],
      events: [
        {
          name: "exception",
          attributes: expect.arrayContaining([expect.objectContaining({ key: "exception.message" })]),
        },
      ],
      status: { code: 2, message: "slow" },
    });
    expect(librarySpans.find(({ name }: { name: string }) => name === "parse").parentSpanId).toBe(query.spanId);
  });

  test("a request that an instrumentation traces already is a part of its span", async () => {
    await start();
    trace.getTracer("http").startActiveSpan("GET", (outer) => {
      const span = tracer.startSpan(traceparent, "server");
      expect(span.traceparent?.split("-")[1]).toBe(outer.spanContext().traceId);
      expect(tracer.startSpan(traceparent, "client").traceparent?.split("-")[1]).toBe(traceparent.split("-")[1]);
      outer.end();
    });
    await tracer.close();
  });

  test("a provider that the process registered before gets the spans", async () => {
    await start();
    const registered = tracer;
    const second = createTracer("other", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, noError);
    second.startSpan(undefined, "internal").end("work");
    await second.close();
    await registered.close();
    expect(JSON.parse(requests[0]?.body ?? "").resourceSpans[0].scopeSpans[0].spans[0].name).toBe("work");
  });

  test("reports an error of the collector without blocking", async () => {
    const errors: Error[] = [];
    await start(errors);
    status = 500;
    tracer.startSpan(traceparent, "client").end("lost");
    await tracer.close();
    expect(errors.map(({ message }) => message)).toEqual(["The trace collector responded with status 500."]);
  });
});
