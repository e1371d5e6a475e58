import { createHmac } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "@jest/globals";
import { ErrorDocument } from "@svc/jsonapi";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(() => startTestApi({ onLog: (line) => log.push(line) }));
let receiver: { readonly path: string; readonly secret: string };
const log: Readonly<Record<string, unknown>>[] = [];

beforeAll(async () => {
  const body = { data: { attributes: { scac: "HLCU", credentials: { kind: "none" } } } };
  const created = (await api.request("/carrier_connections", { method: "POST", body })).body;
  receiver = { path: `/carrier_events/${created.data.id}`, secret: created.data.attributes.push_secret };
});

function push(content: Buffer, headers: Readonly<Record<string, string>> = {}) {
  const signature = createHmac("sha256", Buffer.from(receiver.secret, "base64")).update(content).digest("hex");
  return api.request(receiver.path, {
    method: "POST",
    token: null,
    headers: { "Content-Type": "application/json", "Notification-Signature": `sha256=${signature}`, ...headers },
    body: content,
  });
}

const loggedOf = (requestId: string | null) => log.filter(({ request_id }) => request_id === requestId);

test.each(["GET", "POST", "HEAD"])("%s of an address that is no UTF-8 is 400", async (method) => {
  const response = await api.request("/carrier_events/%E0%A4%A", { method, token: null });
  expect(response.status).toBe(400);
  expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
  if (method !== "HEAD") expect(ErrorDocument.strict().safeParse(response.body).error).toBeUndefined();
});

test("405 with Allow for other methods", async () => {
  for (const method of ["GET", "PUT", "DELETE"]) {
    const response = await api.request(receiver.path, { method, token: null });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "HEAD, OPTIONS, POST"]);
  }
});

test("a push that is compressed is refused with 415, since it would be no better later", async () => {
  const response = await push(gzipSync("[]"), { "Content-Encoding": "gzip" });
  expect(response.status).toBe(415);
  expect(response.body.errors[0].source).toEqual({ header: "Content-Encoding" });
  expect(loggedOf(response.headers.get("x-request-id")).map(({ msg }) => msg)).toEqual(["request.completed"]);
});

test("every response has the request's id, by which it is found in the log", async () => {
  const callback = await api.request(receiver.path, { method: "HEAD", token: null });
  const pushed = await push(Buffer.from('[{"eventID":"1"}]'));
  for (const [response, operation] of [
    [callback, "validateCarrierEventsCallback"],
    [pushed, "receiveCarrierEvents"],
  ] as const) {
    expect([response.status, response.headers.get("api-version")]).toEqual([204, "2.2.0"]);
    expect(loggedOf(response.headers.get("x-request-id")).at(-1)).toMatchObject({
      msg: "request.completed",
      operation,
    });
  }
});

test("logs no failure when a carrier disconnects during a push", async () => {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  const id = "gone-in-the-middle";
  socket.write(
    `POST /v2${receiver.path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nContent-Length: 100\r\nNotification-Signature: sha256=${"0".repeat(64)}\r\nExpect: 100-continue\r\n\r\n[`,
  );
  await once(socket, "data");
  socket.destroy();
  await eventually("the request is over", async () => loggedOf(id).length > 0);
  expect(loggedOf(id)).toMatchObject([{ msg: "request.completed", aborted: true, operation: "receiveCarrierEvents" }]);
});

test("the service is not idle while a push is stored", async () => {
  const other = await api.database.pool.connect();
  try {
    await other.query("BEGIN");
    await other.query("LOCK TABLE event_messages IN ACCESS EXCLUSIVE MODE");
    const pushed = push(Buffer.from('[{"eventID":"2"}]'));
    await eventually("the push waits for the table", async () => {
      const { rowCount } = await other.query(
        "SELECT FROM pg_locks WHERE NOT granted AND relation = 'event_messages'::regclass",
      );
      return rowCount === 1;
    });
    let isIdle = false;
    const idle = api.whenIdle().then(() => {
      isIdle = true;
    });
    await setImmediate();
    expect(isIdle).toBe(false);
    await other.query("COMMIT");
    expect((await pushed).status).toBe(204);
    await idle;
    const [{ count } = { count: 0 }] = (await other.query("SELECT count(*)::int FROM event_messages")).rows;
    expect(count).toBe(2);
  } finally {
    other.release();
  }
});
