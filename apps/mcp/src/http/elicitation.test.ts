import { expect, test } from "@jest/globals";
import { wireShipment } from "@svc/sdk/testing";
import { started } from "@svc/testkit/started";
import { containerId, shipmentId, startFakeApi } from "../testing/fake-api.ts";
import { startMcp } from "../testing/start-mcp.ts";

const api = started(() =>
  startFakeApi(({ method }) => (method === "PATCH" ? { body: { data: wireShipment() } } : undefined)),
);
const mcp = started(() => startMcp(api.baseUrl));

const initialize = (elicitation?: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: elicitation ? { elicitation } : {},
    clientInfo: { name: "test", version: "1" },
  },
});
const update = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "update_shipment", arguments: { ids: [shipmentId], add_tags: ["priority"] } },
};
const writes = () => api.requests.filter(({ method }) => method === "PATCH").length;

/** The messages of an event stream, one at a time. */
async function* messagesOf(response: Response): AsyncGenerator<{ readonly id: string; readonly result?: unknown }> {
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data);
    }
  }
}

test("gives a session id only to clients that support elicitation", async () => {
  const idFor = async (elicitation?: object) => (await mcp.post(initialize(elicitation))).headers.get("mcp-session-id");
  expect(await idFor({})).toMatch(/^elicitation\./);
  expect(await idFor({ form: {} })).not.toBe(await idFor({ form: {} }));
  expect([await idFor(), await idFor({ url: {} })]).toEqual([null, null]);
});

test("sends an elicitation on the stream of the call, and accepts only its own caller's response", async () => {
  const session = (await mcp.post(initialize({}))).headers.get("mcp-session-id") ?? "";
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-06-18" };
  const before = writes();
  const response = await mcp.post(update, headers);
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const messages = messagesOf(response);
  const { value: elicitation } = await messages.next();
  expect(elicitation).toMatchObject({
    method: "elicitation/create",
    params: { message: expect.stringMatching(/^Change 1 shipment/) },
  });
  const responseTo = (id: unknown) => ({ jsonrpc: "2.0", id, result: { action: "accept", content: {} } });
  for (const [id, authorization] of [
    [0, "Bearer svc_test_alpha"],
    [elicitation?.id, "Bearer svc_test_beta"],
  ]) {
    expect((await mcp.post(responseTo(id), { ...headers, authorization: String(authorization) })).status).toBe(202);
  }
  expect(writes()).toBe(before);
  expect((await mcp.post(responseTo(elicitation?.id), headers)).status).toBe(202);
  const { value: result } = await messages.next();
  expect(result).toMatchObject({ id: 2, result: { structuredContent: { results: [{ outcome: "updated" }] } } });
  expect(writes()).toBe(before + 1);
});

test("changes nothing when the caller disconnects before the elicitation is resolved, and drops a late response", async () => {
  const headers = { "mcp-session-id": "elicitation.x", "mcp-protocol-version": "2025-06-18" };
  const before = writes();
  const messages = messagesOf(await mcp.post(update, headers));
  const { value: elicitation } = await messages.next();
  await messages.return(undefined);
  const late = { jsonrpc: "2.0", id: elicitation?.id, result: { action: "decline" } };
  expect((await mcp.post(late, headers)).status).toBe(202);
  expect(writes()).toBe(before);
});

const read = { name: "get_container", arguments: { id: containerId } };

test("the trace of a message is that of its requests to the API", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const requestTraceparent = traceparent.replace("b7ad", "c8be");
  const call = (traceparentHeader: unknown, headers: Record<string, string>) =>
    mcp.post(
      { ...update, params: { ...read, _meta: { traceparent: traceparentHeader } } },
      { "mcp-protocol-version": "2025-11-25", ...headers },
    );
  for (const [given, expected, headers = {}] of [
    [traceparent, traceparent],
    ["not a trace\r\n", undefined],
    [{}, undefined],
    [traceparent, traceparent, { traceparent: requestTraceparent }],
    [undefined, requestTraceparent, { traceparent: requestTraceparent }],
  ] as [unknown, string | undefined, Record<string, string>?][]) {
    const before = api.requests.length;
    expect((await call(given, headers)).status).toBe(200);
    const sent = api.requests.slice(before).map(({ headers }) => headers.traceparent);
    expect(sent).toContain(expected);
    expect(new Set(sent).size).toBe(1);
  }
});

test("state and baggage go with the trace that they belong to", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const state = { tracestate: "vendor=opaque", baggage: "tenant=acme" };
  const headersSent = async (meta: object, headers: Record<string, string> = {}) => {
    const before = api.requests.length;
    const message = { ...update, params: { ...read, _meta: meta } };
    const sent = { "mcp-protocol-version": "2025-11-25", ...headers };
    expect((await mcp.post(message, sent)).status).toBe(200);
    const [first] = api.requests.slice(before);
    return { tracestate: first?.headers.tracestate, baggage: first?.headers.baggage };
  };
  expect(await headersSent({ traceparent, ...state })).toEqual(state);
  expect(await headersSent({}, { traceparent, ...state })).toEqual(state);
  // The state of the request is that of another trace.
  expect(await headersSent({ traceparent }, { traceparent, ...state })).toEqual({ baggage: state.baggage });
  expect(await headersSent({ traceparent: "unknown", ...state })).toEqual({ baggage: state.baggage });
  expect(await headersSent({ traceparent, tracestate: "a=1\r\nX-Forged: 1", baggage: { a: 1 } })).toEqual({});
  expect(await headersSent({ traceparent, tracestate: "a".repeat(513), baggage: "a".repeat(8_193) })).toEqual({});
});

test("responds immediately to a request for a task, as every server without tasks", async () => {
  const response = await mcp.post({ ...update, params: { ...read, task: { ttl: 60_000 } } });
  expect(await response.json()).toMatchObject({
    id: 2,
    result: { structuredContent: { container: { id: containerId } } },
  });
});
