import { createConnection } from "node:net";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { ErrorDocument } from "@svc/jsonapi";
import { started } from "@svc/testkit/started";
import { routes } from "../routes.ts";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi, type TestResponse } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let shipment: string;
beforeAll(async () => {
  shipment = `/shipments/${await insertShipment(api.database, api.account.id)}`;
});

const jsonApi = "application/vnd.api+json";
const unknownId = "0199f0a0-0000-7000-8000-000000000001";

/** The code of a refusal, after checking its form. */
function codeOf(response: TestResponse): string {
  expect(ErrorDocument.strict().safeParse(response.body).error).toBeUndefined();
  expect(response.headers.get("content-type")).toBe(jsonApi);
  for (const error of response.body.errors) expect(error.id).toBe(response.headers.get("x-request-id"));
  return response.body.errors[0].code;
}

describe("content negotiation (JSON:API 1.1)", () => {
  test.each([
    ["*/*", 200, jsonApi],
    ["application/json", 200, "application/json"],
    [`${jsonApi}; charset=utf-8`, 406, jsonApi],
    [`${jsonApi}; charset=utf-8, ${jsonApi}`, 200, jsonApi],
    [`${jsonApi}; ext="https://unsupported.example"`, 406, jsonApi],
    [`${jsonApi}; profile="https://unknown.example"`, 200, jsonApi],
    ["text/html", 406, jsonApi],
  ])("Accept: %s gives %d [spec: J1, J6, J7, J8, J9, J11, J12, J13]", async (accept, status, type) => {
    const response = await api.request(shipment, { headers: { Accept: accept } });
    expect([response.status, response.headers.get("content-type")]).toEqual([status, type]);
    expect(response.headers.get("vary")).toContain("Accept");
    if (status === 406) expect(response.body.errors[0].source).toEqual({ header: "Accept" });
  });

  test("a page by cursor names the profile that it follows [spec: J87]", async () => {
    const first = await api.request("/shipments?page[size]=1");
    const cursor = first.body.meta.page.end_cursor;
    const response = await api.request(`/shipments?page[after]=${cursor}`);
    expect(response.headers.get("content-type")).toBe(
      `${jsonApi}; profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"`,
    );
  });

  test("415: a compressed body", async () => {
    const headers = { "Content-Encoding": "gzip" };
    const response = await api.request(shipment, { method: "PATCH", headers, body: "{}" });
    expect([response.status, codeOf(response)]).toEqual([415, "unsupported_media_type"]);
  });
});

describe("addresses and methods", () => {
  test.each(["/nothing", "/shipments/", "/Shipments", "/", `/shipments/${unknownId}/nothing`])(
    "404 as JSON:API: %s [spec: J59, P19]",
    async (path) => {
      const response = await api.request(path);
      expect([response.status, codeOf(response)]).toEqual([404, "not_found"]);
    },
  );

  test("400: an address that is not percent-encoded UTF-8 [spec: J59]", async () => {
    const response = await api.request("/shipments/%E0%A4%A");
    expect([response.status, codeOf(response)]).toEqual([400, "malformed_document"]);
  });

  test.each([
    ["PUT", "/shipments", "GET, HEAD, OPTIONS"],
    ["DELETE", `/shipments/${unknownId}`, "GET, HEAD, OPTIONS, PATCH"],
    ["GET", "/tracking_requests/infer_number", "OPTIONS, POST"],
    ["PATCH", "/webhooks/events", "GET, HEAD, OPTIONS"],
  ])("405 with Allow: %s %s [spec: J84, P19]", async (method, path, allow) => {
    const response = await api.request(path, { method });
    expect([response.status, response.headers.get("allow"), codeOf(response)]).toEqual([
      405,
      allow,
      "method_not_allowed",
    ]);
  });

  test("HEAD is GET without the body, OPTIONS lists the methods [spec: J85]", async () => {
    const [get, head] = [await api.request(shipment), await api.request(shipment, { method: "HEAD" })];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["etag", "content-length", "content-type"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    const options = await api.request(shipment, { method: "OPTIONS", token: null });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, PATCH"]);
  });

  test("every operation: 401 without a token, 403 with a token that lacks its scope, 404 or better for a stranger [spec: P17]", async () => {
    const account = await api.createAccount();
    const writer = await api.createToken(account.id, { scopes: ["write"] });
    for (const route of routes) {
      const path = route.path.replaceAll(/\{\w+\}/g, unknownId);
      const method = route.method.toUpperCase();
      const none = await api.request(path, { method, token: null });
      expect([route.operationId, none.status, none.headers.get("www-authenticate")]).toEqual([
        route.operationId,
        401,
        "Token",
      ]);
      codeOf(none);
      const lacking = await api.request(path, { method, token: route.scope === "read" ? writer : account.readToken });
      expect([route.operationId, lacking.status, codeOf(lacking)]).toEqual([route.operationId, 403, "forbidden"]);
    }
  });

  test("responds 404 to an unknown id in every operation on one record, even with other errors [spec: J65]", async () => {
    const attributesOf: Readonly<Record<string, object>> = {
      WriteParty: { company_name: "x" },
      CreateCustomFieldOption: { label: "x", value: "x" },
      PutCustomField: { api_slug: "memo", value: "x" },
      EditCustomField: { value: "x" },
    };
    const required: Readonly<Record<string, string>> = { port_id: "USLAX", previous_port_id: "CNSHA" };
    for (const route of routes.filter(({ path }) => path.includes("{id}"))) {
      const { body } = route.request;
      const type = body && "document" in body ? body.document.type : "";
      const attributes = (body && "document" in body && attributesOf[body.document.name]) || {};
      const path = route.path.replace("{api_slug}", "memo").replaceAll(/\{\w+\}/g, unknownId);
      const query = Object.values(route.request.query?.parameters ?? {}).flatMap((parameter) =>
        parameter.required ? [`${parameter.name}=${required[parameter.name] ?? "1"}`] : [],
      );
      const response = await api.request(`${path}?${query.join("&")}`, {
        method: route.method.toUpperCase(),
        ...(body && { body: "plain" in body ? { since: "2026-11-21T00:00:00Z" } : { data: { type, attributes } } }),
      });
      expect([route.operationId, response.status]).toEqual([route.operationId, 404]);
      codeOf(response);
    }
  });
});

describe("headers of every response [spec: P13, P20]", () => {
  test.each([
    ["200", (): string => shipment, {}],
    ["401", (): string => shipment, { token: null }],
    ["404", (): string => "/nothing", {}],
  ] as const)("%s", async (_status, path, request) => {
    const { headers } = await api.request(path(), request);
    expect(headers.get("x-request-id")).toMatch(/^[\w-]{8,64}$/);
    expect(headers.get("api-version")).toBe("0.2.0");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("cache-control")).toMatch(/no-store|private/);
  });

  test("sends when a deprecated operation was deprecated and when it ends, also with an error [spec: versioning.4, P12, G18]", async () => {
    const leaving = routes.filter(({ deprecated }) => deprecated);
    expect(leaving.map(({ operationId }) => operationId)).toEqual(["listContainerRawEvents"]);
    for (const token of [api.account.token, null]) {
      const { headers } = await api.request(`/containers/${unknownId}/raw_events`, { token });
      expect([headers.get("deprecation"), headers.get("sunset")]).toEqual([
        "@1795305600",
        "Mon, 22 Nov 2027 00:00:00 GMT",
      ]);
    }
    const description = (await api.request("/openapi.json")).body;
    for (const [path, operations] of Object.entries<Record<string, { deprecated?: boolean }>>(description.paths)) {
      for (const [method, { deprecated }] of Object.entries(operations)) {
        const isLeaving = leaving.some((route) => route.path === path && route.method === method);
        expect([path, method, deprecated]).toEqual([path, method, isLeaving || undefined]);
      }
    }
    expect((await api.request(shipment)).headers.get("deprecation")).toBeNull();
  });

  test("keeps the client's request id when it is a plain word [spec: P9, G17]", async () => {
    const named = await api.request(shipment, { headers: { "X-Request-Id": "order-4711-try-1" } });
    expect(named.headers.get("x-request-id")).toBe("order-4711-try-1");
    for (const id of ["short", "x".repeat(65), "with spaces inside"]) {
      const { headers } = await api.request(shipment, { headers: { "X-Request-Id": id } });
      expect(headers.get("x-request-id")).not.toBe(id);
    }
  });
});

describe("unknown and bad query parameters", () => {
  test.each([
    ["foo=1", "foo"],
    ["fooBar=1", "fooBar"],
    ["filter[bogus]=1", "filter[bogus]"],
    ["filter[status]=bogus", "filter[status]"],
    ["filter[status]=", "filter[status]"],
    ["filter[updated_after]=yesterday", "filter[updated_after]"],
    ["filter[tracking_stopped]=yes", "filter[tracking_stopped]"],
    ["include=bogus", "include"],
    ["include=containers.bogus", "include"],
    ["include=containers,,destination", "include"],
    ["include=line_tracking_stopped_by_user", "include"],
    ["fields[shipment]=bogus", "fields[shipment]"],
    ["fields[bogus]=x", "fields[bogus]"],
    ["fields[constructor]=x", "fields[constructor]"],
    ["sort=bogus", "sort"],
    ["sort=", "sort"],
    ["page[size]=0", "page[size]"],
    ["page[size]=-1", "page[size]"],
    ["page[size]=1.5", "page[size]"],
    ["page[size]=1e3", "page[size]"],
    ["page[size]=", "page[size]"],
    ["page_size=99999999999999999999", "page_size"],
    ["page[number]=abc", "page[number]"],
    ["page[number]=2&page=3", "page"],
    ["page[number]=2&page[after]=abc", "page[after]"],
    ["page[after]=abc&page[before]=abc", "page[after]"],
    ["page[after]=abc", "page[after]"],
    ["page[number]=10002&page[size]=100", "page[number]"],
    ["page[size]=1&page[size]=2", "page[size]"],
    ["filter[tag]=%00", "filter[tag]"],
    ["filter[tag]=%FF", "filter[tag]"],
    ["__proto__=1", "__proto__"],
  ])(
    "400 with its parameter: %s [spec: J34, J41, J45, J49, J52, J54, J55, J56, J57, J62]",
    async (query, parameter) => {
      const response = await api.request(`/shipments?${query}`);
      expect([response.status, codeOf(response)]).toEqual([400, "invalid_parameter"]);
      expect(response.body.errors[0].source).toEqual({ parameter });
    },
  );

  test("reports every fault of a query at once [spec: J63]", async () => {
    const response = await api.request("/shipments?foo=1&sort=x&include=y&page[size]=0");
    const parameters = response.body.errors.map((error: { source: { parameter: string } }) => error.source.parameter);
    expect(parameters.toSorted()).toEqual(["foo", "include", "page[size]", "sort"]);
  });

  test("rejects include where nothing can be included [spec: J35]", async () => {
    expect((await api.request("/webhooks?include=anything")).status).toBe(400);
    expect((await api.request("/webhooks/ips?include=anything")).status).toBe(400);
  });
});

describe("authentication [spec: authentication.1, errors.401, versioning.3]", () => {
  test("the scheme is Token or Bearer, in any case [spec: P17]", async () => {
    for (const scheme of ["Token", "token", "Bearer", "BEARER"]) {
      const headers = { Authorization: `${scheme} ${api.account.token}` };
      expect((await api.request(shipment, { token: null, headers })).status).toBe(200);
    }
  });

  test.each(["", "Token", "Token ", "Token unknown", "Basic dXNlcjpwYXNz", "Token a b", `Token ${"x".repeat(5_000)}`])(
    "401: %s [spec: P17]",
    async (authorization) => {
      const response = await api.request(shipment, { token: null, headers: { Authorization: authorization } });
      expect([response.status, codeOf(response)]).toEqual([401, "unauthorized"]);
    },
  );

  test("401: costs one lookup of the token and nothing else [spec: P4]", async () => {
    const countOf = async (headers: Readonly<Record<string, string>>, body?: string) => {
      const before = api.statementsOfAllAccounts().length;
      api.takeStatements();
      const response = await api.request("/parties", { token: null, headers, ...(body && { method: "POST", body }) });
      expect([response.status, codeOf(response)]).toEqual([401, "unauthorized"]);
      expect(api.takeStatements()).toEqual([]);
      return api.statementsOfAllAccounts().length - before;
    };
    expect(await countOf({ Authorization: "Token unknown" })).toBe(1);
    expect(await countOf({ Authorization: `Token svc_live_${"0".repeat(40)}` })).toBe(1);
    expect(await countOf({ Authorization: "Token not one" })).toBe(0);
    expect(await countOf({})).toBe(0);
    // It would be refused, were it read.
    expect(await countOf({ Authorization: "Token unknown" }, "{")).toBe(1);
  });

  test("401: a token that has expired or was revoked from the start", async () => {
    const past = new Date(Date.now() - 1_000);
    for (const options of [{ expiresAt: past }, { revokedAt: past }]) {
      const token = await api.createToken(api.account.id, options);
      expect((await api.request(shipment, { token })).status).toBe(401);
    }
  });

  test("a revoked token is refused soon, though it was in use", async () => {
    const token = await api.createToken(api.account.id);
    expect((await api.request(shipment, { token })).status).toBe(200);
    await api.database.prisma.apiToken.updateMany({
      where: { hint: token.slice(-4) },
      data: { revokedAt: new Date() },
    });
    const revokedAtMs = performance.now();
    let status = 200;
    while (status === 200 && performance.now() - revokedAtMs < 5_000)
      status = (await api.request(shipment, { token })).status;
    expect(status).toBe(401);
  });

  test("the last use of a token is noted, and not again within a minute", async () => {
    const token = await api.createToken(api.account.id);
    const lastUse = async () =>
      (await api.database.prisma.apiToken.findFirstOrThrow({ where: { hint: token.slice(-4) } })).lastUsedAt;
    await api.request(shipment, { token });
    const first = await lastUse();
    expect(first).toBeInstanceOf(Date);
    await api.request(shipment, { token });
    expect(await lastUse()).toEqual(first);
  });
});

describe("unexpected requests", () => {
  test("a body that announces more than it may is refused before it is read [spec: P16]", async () => {
    const { hostname, port } = new URL(api.url);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.write(
      `PATCH /v2${shipment} HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${api.account.token}\r\nContent-Type: ${jsonApi}\r\nContent-Length: 99999999\r\n\r\n`,
    );
    const [data] = await new Promise<[Buffer]>((resolve) => socket.once("data", (chunk: Buffer) => resolve([chunk])));
    expect(data.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect(data.toString()).toMatch(/connection: close/i);
    socket.destroy();
  });

  test("500 in fixed words: nothing of the cause leaves [spec: J59, J64]", async () => {
    await api.database.pool.query("ALTER TABLE parties RENAME TO hidden");
    try {
      const response = await api.request("/parties");
      expect([response.status, codeOf(response)]).toEqual([500, "internal"]);
      expect(response.text).not.toMatch(/parties|relation|sql|pg/i);
    } finally {
      await api.database.pool.query("ALTER TABLE hidden RENAME TO parties");
    }
  });
});
