import { once } from "node:events";
import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { ErrorDocument } from "@svc/jsonapi";
import { started } from "@svc/testkit/started";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const jsonApi = "application/vnd.api+json";

const api = started(startTestApi);
let shipment: string;
beforeAll(async () => {
  shipment = `/shipments/${await insertShipment(api.database, api.account.id)}`;
});

/** Sends raw bytes, which may be no valid HTTP, and returns the response when the connection has ended. */
async function responseTo(bytes: string): Promise<{ head: string; body: string }> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.end(bytes, "latin1");
  const [head = "", body = ""] = (await socket.setEncoding("utf8").toArray()).join("").split("\r\n\r\n");
  return { head, body };
}

test("sends errors as application/json to a client that admits no other type [spec: J11, J59]", async () => {
  for (const [accept, type] of [
    ["application/json", "application/json"],
    ["application/json, text/plain, */*", jsonApi],
    [jsonApi, jsonApi],
    ["text/html", jsonApi],
  ] as const) {
    const headers = { Accept: accept };
    const known = await api.request(`${shipment}?foo=1`, { headers });
    const nothing = await fetch(new URL("/nothing", api.url), { headers });
    for (const response of [known, nothing]) {
      expect([accept, response.headers.get("content-type")]).toEqual([accept, type]);
      expect(response.headers.get("vary")).toContain("Accept");
    }
  }
});

test("every error links to where its code is explained [spec: P10, P11]", async () => {
  // The reference forwards the anchors of errors to its plain page.
  const page = await (await fetch(new URL("/docs/plain", api.url))).text();
  const refused = [
    await api.request("/nothing"),
    await api.request("/shipments?foo=1"),
    await api.request(shipment, { token: null }),
    await api.request(shipment, { method: "PATCH", body: { data: { attributes: { tags: [""], colour: "red" } } } }),
    await api.request(shipment, { method: "PUT" }),
  ];
  const links = refused.flatMap(({ body }) =>
    ErrorDocument.strict()
      .parse(body)
      .errors.map(({ links }) => links?.type),
  );
  expect(links).toHaveLength(6);
  for (const link of links) {
    const { origin, pathname, hash } = new URL(link ?? "");
    expect(`${origin}${pathname}`).toBe(new URL("/docs", api.url).href);
    expect(page).toContain(`id="${hash.slice(1)}"`);
  }
});

describe("malformed HTTP requests get an error document", () => {
  test.each([
    ["an address of 20 kB", `GET /v2/shipments?filter[tag]=${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ["a header of 20 kB", `GET /v2/shipments HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["no HTTP", "hello\r\n\r\n", 400],
    ["a method that there is not", "FETCH /v2/shipments HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    [
      "a chunk that is no number",
      "POST /v2/parties HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
      400,
    ],
    ["two lengths", "POST /v2/parties HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}", 400],
  ])("%s [spec: J59, P16]", async (_name, bytes, status) => {
    const { head, body } = await responseTo(bytes);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/\r\nContent-Type: application\/vnd\.api\+json\r\n/);
    expect(head).toMatch(/\r\nConnection: close/);
    const { errors } = ErrorDocument.strict().parse(JSON.parse(body));
    expect(errors[0]?.status).toBe(String(status));
    expect(head).toContain(`X-Request-Id: ${errors[0]?.id}`);
  });

  test("writes no error document into a response that has started", async () => {
    const request = `GET /v2${shipment} HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${api.account.token}\r\n\r\n`;
    const { head, body } = await responseTo(`${request}no HTTP\r\n\r\n`);
    expect(`${head}${body}`).not.toMatch(/malformed_document/);
  });
});

test("carriers that push are refused in the same form [spec: J1, J59]", async () => {
  const url = new URL("/v2/carrier_events/0199f0a0-0000-7000-8000-000000000001", api.url);
  const response = await fetch(url, { method: "POST", body: "[]" });
  expect([response.status, response.headers.get("content-type")]).toEqual([404, jsonApi]);
  const { errors } = ErrorDocument.strict().parse(await response.json());
  expect(errors[0]?.id).toBe(response.headers.get("x-request-id"));
  // The status is not 413: no body is buffered before its receiver is known.
  expect((await fetch(url, { method: "POST", body: Buffer.alloc(6_000_000) })).status).toBe(404);
});

describe("error pointers refer to the request body", () => {
  const valueAt = (document: unknown, pointer: string): unknown =>
    pointer
      .split("/")
      .slice(1)
      .reduce<unknown>((value, part) => {
        const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
        return typeof value === "object" && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined;
      }, document);

  test.each<[string, string, object]>([
    ["PATCH", "shipment", { data: { attributes: { tags: ["a", 7, ""], "no/such~one": 1, pod_eta_at: null } } }],
    ["PATCH", "shipment", { data: { type: "container", id: "x", attributes: { ref_numbers: {} } } }],
    ["PATCH", "shipment", { data: [] }],
    ["PATCH", "shipment", {}],
    ["PATCH", "shipment", { data: { attributes: {}, relationships: { shipper: { data: null } } } }],
    ["POST", "/webhooks", { data: { attributes: { url: "ftp://x", active: "yes", events: ["nothing"], x: 1 } } }],
    ["POST", "/webhooks/trigger", { url: "nowhere", event: "nothing", more: true }],
    ["POST", "/tracking_requests", { data: { attributes: { request_type: "x", request_number: "", scac: 7 } } }],
    ["POST", "/tracking_requests/bulk", { data: {} }],
  ])("%s %s %j [spec: J61, J63, G15]", async (method, path, body) => {
    const response = await api.request(path === "shipment" ? shipment : path, { method, body });
    const pointers: string[] = response.body.errors.map(
      ({ source }: { source: { pointer: string } }) => source.pointer,
    );
    expect(pointers.length).toBeGreaterThan(0);
    for (const pointer of pointers) {
      expect([pointer, pointer === "" || valueAt(body, pointer) !== undefined]).toEqual([pointer, true]);
    }
  });

  test("points to the missing attribute of a blank value", async () => {
    const { body } = await api.request("/webhooks", { method: "POST", body: { data: { attributes: {} } } });
    for (const { code, source } of body.errors) {
      expect([code, source.pointer]).toEqual(["blank", expect.stringMatching(/^\/data\/attributes\/\w+$/)]);
    }
  });
});
