import { describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { routes } from "../routes.ts";
import { insertSharedPlaces } from "../testing/full-account.ts";
import { addressOf, createFilledAccount, reads } from "../testing/read-addresses.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const unknownId = "0199f0a0-0000-7000-8000-000000000001";
const methods = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"];

const api = started(startTestApi);
const account = started(async () => createFilledAccount(api, await insertSharedPlaces(api), 1));

const send = (path: string, method: string, headers = {}, body?: string) =>
  api.request(path, { method, token: account.token, headers, ...(body !== undefined && { body }) });
const fill = (path: string): string => path.replace("{api_slug}", "memo").replaceAll(/\{\w+\}/g, unknownId);

describe("every path", () => {
  const paths = [...Map.groupBy(routes, ({ path }) => path)];

  test("responds 405 with Allow to other methods, and lists the same for OPTIONS without a token [spec: J84, J85, P19]", async () => {
    for (const [path, served] of paths) {
      const possible = served.map(({ method }) => method.toUpperCase());
      if (possible.includes("GET")) possible.push("HEAD");
      const allow = [...possible, "OPTIONS"].toSorted().join(", ");
      const options = await api.request(fill(path), { method: "OPTIONS", token: null });
      expect([path, options.status, options.text, options.headers.get("allow")]).toEqual([path, 204, "", allow]);
      for (const method of methods.filter((one) => !possible.includes(one))) {
        const { status, headers } = await send(fill(path), method);
        expect([path, method, status, headers.get("allow")]).toEqual([path, method, 405, allow]);
      }
    }
  });

  test("HEAD responds as GET does, without the body [spec: J85]", async () => {
    for (const route of reads) {
      const address = addressOf(route, account);
      // Each sample has an id of its own.
      if (route.operationId === "listWebhookNotificationExamples") continue;
      const [get, head] = [await send(address, "GET"), await send(address, "HEAD")];
      const summary = ({ status, headers }: typeof get) => [
        address,
        status,
        ...["content-type", "content-length", "etag", "cache-control"].map((name) => headers.get(name)),
      ];
      expect([...summary(head), head.text]).toEqual([...summary(get), ""]);
    }
  });

  test("reads every record that is written under If-Match with a version", async () => {
    const conditional = new Set(routes.filter(({ request }) => request.conditional).map(({ path }) => path));
    // PATCH /containers names the container in its body; a client reads the version at the container's own address.
    conditional.delete("/containers");
    const read = reads.filter(({ path }) => conditional.has(path) && !path.includes("{api_slug}"));
    expect(read.length).toBeGreaterThan(7);
    for (const route of read) {
      const tag = (await send(addressOf(route, account), "GET")).headers.get("etag");
      expect([route.path, tag]).toEqual([route.path, expect.stringMatching(/^"\d+-/)]);
    }
  });

  test("responds 406 when Accept admits no offered type [spec: J13]", async () => {
    for (const { path, method } of routes) {
      const { status, body } = await send(fill(path), method.toUpperCase(), { Accept: "image/png" });
      expect([path, method, status, body.errors[0].source]).toEqual([path, method, 406, { header: "Accept" }]);
    }
  });

  test("responds 415 to a body of another type, or without one, wherever a body is read [spec: J3, J5, J13]", async () => {
    const types = ["text/plain", "application/xml", 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'];
    for (const { path, method, request } of routes.filter(({ request }) => request.body !== undefined)) {
      const accepted: readonly string[] = request.body && "bytes" in request.body ? request.body.bytes.mediaTypes : [];
      for (const type of types.filter((each) => !accepted.includes(each))) {
        const { status, body } = await send(fill(path), method.toUpperCase(), { "Content-Type": type }, "{}");
        expect([path, type, status, body.errors[0].source]).toEqual([path, type, 415, { header: "Content-Type" }]);
      }
    }
  });

  test("400 for a parameter that is given twice, also where it is not known [spec: J57]", async () => {
    for (const route of reads) {
      const { status, body } = await send(`${fill(route.path)}?include=a&include=b`, "GET");
      const sources = body.errors.map(({ source }: { source: object }) => source);
      expect([route.path, status, sources]).toEqual([
        route.path,
        400,
        expect.arrayContaining([{ parameter: "include" }]),
      ]);
    }
  });

  test("400 for an order that a list does not have [spec: J45]", async () => {
    for (const route of reads) {
      const { status, body } = await send(`${fill(route.path)}?sort=-bogus`, "GET");
      const sources = body.errors.map(({ source }: { source: object }) => source);
      expect([route.path, status, sources]).toEqual([route.path, 400, expect.arrayContaining([{ parameter: "sort" }])]);
    }
  });
});

describe("the body of a write", () => {
  const shipment = (): string => `/shipments/${account.ids.shipments}`;
  const type = { "Content-Type": "application/vnd.api+json" };

  test("members that JSON:API does not know are ignored where it wants that, and refused among the attributes [spec: J73]", async () => {
    const data = { type: "shipment", foo: 1, lid: "mine", attributes: { tags: ["b"] } };
    const ignored = await send(shipment(), "PATCH", type, JSON.stringify({ data, foo: { bar: 1 }, "@note": "x" }));
    expect([ignored.status, ignored.body.data?.attributes.tags]).toEqual([200, ["b"]]);
    const refused = await send(shipment(), "PATCH", type, JSON.stringify({ data: { attributes: { foo: 1 } } }));
    expect([refused.status, refused.body.errors[0].source]).toEqual([422, { pointer: "/data/attributes/foo" }]);
  });

  test("members that JSON:API knows beside those of the operation are ignored", async () => {
    const data = { type: "shipment", attributes: { tags: ["a"] }, meta: { by: "me" }, links: { self: "x" } };
    const body = JSON.stringify({ data, meta: { by: "me" }, jsonapi: { version: "1.1" }, links: {}, included: [] });
    const { status, body: response } = await send(shipment(), "PATCH", type, body);
    expect([status, response.data?.attributes.tags]).toEqual([200, ["a"]]);
  });

  test("without an attribute changes nothing, and the ETag stays [spec: J75]", async () => {
    const before = await send(shipment(), "GET");
    const edited = await send(shipment(), "PATCH", type, JSON.stringify({ data: { attributes: {} } }));
    expect([edited.status, edited.headers.get("etag")]).toEqual([200, before.headers.get("etag")]);
  });

  test("a new resource with an id of the client's is refused [spec: J77]", async () => {
    const data = { id: unknownId, attributes: { company_name: "Harbour" } };
    const { status, body } = await send("/parties", "POST", type, JSON.stringify({ data }));
    expect([status, body.errors[0].source]).toEqual([403, { pointer: "/data/id" }]);
  });
});
