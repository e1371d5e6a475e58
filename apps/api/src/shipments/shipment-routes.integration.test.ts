import { describe, expect, test } from "@jest/globals";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { ShipmentResource } from "@svc/jsonapi/shipments";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

const one = documentSchema(ShipmentResource.strict());
const edit = (id: string, attributes: object, headers: Record<string, string> = {}) =>
  api.request(`/shipments/${id}`, { method: "PATCH", headers, body: { data: { attributes } } });

async function insertFull(): Promise<string> {
  const { prisma } = api.database;
  const lading = await prisma.port.findUniqueOrThrow({ where: { locode: "CNSHA" } });
  const discharge = await prisma.port.findUniqueOrThrow({ where: { locode: "NLRTM" } });
  return insertShipment(api.database, api.account.id, {
    portOfLadingId: lading.id,
    portOfDischargeId: discharge.id,
    destinationPortId: discharge.id,
    podEtaAt: new Date("2026-12-01T08:00:00Z"),
    refNumbers: ["PO-1"],
    tags: ["urgent"],
  });
}

describe("GET /shipments/{id}", () => {
  test("200: the full record by one statement, with the names that belong to it [spec: service.2]", async () => {
    const id = await insertFull();
    const containers = [
      await insertContainer(api.database, api.account.id, id, { number: "SBXU0000019" }),
      await insertContainer(api.database, api.account.id, id, { number: "SBXU0000024" }),
    ];
    api.takeStatements();
    const first = await api.request(`/shipments/${id}`);
    expect(api.takeStatements()).toEqual(["shipments.find", "reference-names.find"]);
    const { status, headers, body } = await api.request(`/shipments/${id}`);
    expect([status, body]).toEqual([200, first.body]);
    expect(api.takeStatements()).toEqual(["shipments.find"]);
    expect(one.safeParse(body).error).toBeUndefined();
    expect(headers.get("content-type")).toBe("application/vnd.api+json");
    expect(body.data.attributes).toMatchObject({
      port_of_lading_locode: "CNSHA",
      port_of_discharge_name: "Rotterdam",
      pod_timezone: "Europe/Amsterdam",
      pod_eta_at: "2026-12-01T08:00:00.000Z",
      shipping_line_scac: "SBXL",
      ref_numbers: ["PO-1"],
      tags: ["urgent"],
      line_tracking_stopped_reason: null,
    });
    expect(body.data.relationships.containers.data).toEqual(containers.map((id) => ({ type: "container", id })));
    expect(body.data.relationships.destination.data.type).toBe("port");
    expect((await api.request(body.data.links.self)).body).toEqual(body);
  });

  test("responds 304 to an unchanged shipment, and sends another ETag after a change [spec: P7]", async () => {
    const id = await insertFull();
    const tag = (await api.request(`/shipments/${id}`)).headers.get("etag") ?? "";
    const again = await api.request(`/shipments/${id}`, { headers: { "If-None-Match": `"other", W/${tag}` } });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", tag]);
    await edit(id, { tags: ["new"] });
    const changed = await api.request(`/shipments/${id}`, { headers: { "If-None-Match": tag } });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(tag);
  });

  test("404: another account's shipment, an unknown id and a malformed one are the same [spec: J65]", async () => {
    const foreign = await insertShipment(api.database, (await api.createAccount()).id);
    const ids = [foreign, "0199f0a0-0000-7000-8000-000000000001", "not-an-id"];
    const responses = await Promise.all(ids.map((id) => api.request(`/shipments/${id}`)));
    for (const [index, { status, body }] of responses.entries()) {
      expect(status).toBe(404);
      expect(body.errors[0].detail).toBe(`No shipment with id "${ids[index]}" in this account.`);
      expect(body.errors[0].code).toBe("not_found");
    }
  });
});

describe("PATCH /shipments/{id} [spec: shipments.edit.id]", () => {
  test("200: changes the given attributes, keeps the others, and responds with the full record [spec: shipments.edit.ref_numbers, shipments.edit.tags, shipments.edit.response, J69, J74]", async () => {
    const id = await insertFull();
    api.takeStatements();
    const first = await edit(id, { tags: ["late", "gold"] });
    expect(api.takeStatements()).toEqual(["shipments.edit"]);
    expect(first.status).toBe(200);
    expect(one.safeParse(first.body).error).toBeUndefined();
    expect(first.body.data.attributes).toMatchObject({ tags: ["late", "gold"], ref_numbers: ["PO-1"] });
    const cleared = await edit(id, { ref_numbers: [] });
    expect(cleared.body.data.attributes).toMatchObject({ tags: ["late", "gold"], ref_numbers: [] });
  });

  test("200 with either media type, with or without type and id [spec: shipments.edit.media_type, J4, J66]", async () => {
    const id = await insertFull();
    const variants = [
      [{ attributes: { tags: ["a"] } }, "application/json"],
      [{ type: "shipment", attributes: { tags: ["b"] } }, "application/json; charset=utf-8"],
      [{ type: "shipment", id, attributes: { tags: ["c"] } }, "application/vnd.api+json"],
      [
        { id, attributes: { tags: ["d"] }, meta: {}, links: {} },
        'application/vnd.api+json; profile="https://x.example"',
      ],
    ] as const;
    for (const [data, type] of variants) {
      const headers = { "Content-Type": type };
      const response = await api.request(`/shipments/${id}`, { method: "PATCH", headers, body: { data, jsonapi: {} } });
      expect([response.status, response.body.data.attributes.tags]).toEqual([200, data.attributes.tags]);
    }
  });

  test("an unchanged value writes nothing: same version, same times [spec: J75]", async () => {
    const id = await insertFull();
    const before = await api.database.prisma.shipment.findFirstOrThrow({ where: { id } });
    const response = await edit(id, { tags: ["urgent"], ref_numbers: ["PO-1"] });
    expect(response.status).toBe(200);
    expect(await api.database.prisma.shipment.findFirstOrThrow({ where: { id } })).toEqual(before);
    expect((await edit(id, {})).headers.get("etag")).toBe(response.headers.get("etag"));
  });

  test("stores text in NFC", async () => {
    const id = await insertFull();
    expect((await edit(id, { tags: ["cafe\u0301"] })).body.data.attributes.tags).toEqual(["caf\u00e9"]);
  });

  test("200: a note of several lines, which stays with other edits and null removes", async () => {
    const id = await insertFull();
    const noted = await edit(id, { note: "Call before delivery.\r\nGate 4, caf\u0065\u0301" });
    expect([noted.status, noted.body.data.attributes.note]).toEqual([200, "Call before delivery.\nGate 4, caf\u00e9"]);
    expect(noted.body.data.attributes.tags).toEqual(["urgent"]);
    expect((await edit(id, { tags: ["late"] })).body.data.attributes.note).toContain("Gate 4");
    const same = await edit(id, { note: noted.body.data.attributes.note });
    expect(same.headers.get("etag")).toBe((await api.request(`/shipments/${id}`)).headers.get("etag"));
    expect((await edit(id, { note: "x".repeat(2_000) })).status).toBe(200);
    for (const note of ["", " \n ", "x".repeat(2_001), "a\u0000b", "a\tb", 7, ["x"]]) {
      const response = await edit(id, { note });
      expect([response.status, response.body.errors?.[0].source]).toEqual([422, { pointer: "/data/attributes/note" }]);
    }
    expect((await edit(id, { note: null })).body.data.attributes.note).toBeNull();
  });

  test("403 and 404: a viewer and another account change no note", async () => {
    const id = await insertFull();
    const body = { data: { attributes: { note: "Not mine" } } };
    const viewer = await api.createToken(api.account.id, { role: "viewer" });
    const otherToken = await api.createToken((await api.createAccount()).id, { role: "owner" });
    const statuses = [];
    for (const token of [viewer, otherToken]) {
      statuses.push((await api.request(`/shipments/${id}`, { method: "PATCH", body, token })).status);
    }
    expect(statuses).toEqual([403, 404]);
    expect((await api.request(`/shipments/${id}`)).body.data.attributes.note).toBeNull();
  });

  test("422: repeated tags are refused [spec: limits.2, shipments.edit.tags, J70, J71] and nothing is half-written", async () => {
    const id = await insertFull();
    const response = await edit(id, { ref_numbers: ["PO-2"], tags: ["x", "x"] });
    expect(response.status).toBe(422);
    expect(response.body.errors).toEqual([
      expect.objectContaining({ code: "invalid", source: { pointer: "/data/attributes/tags" } }),
    ]);
    expect((await api.request(`/shipments/${id}`)).body.data.attributes.ref_numbers).toEqual(["PO-1"]);
  });

  test("422: reports every fault at once, each with its pointer [spec: J63, J72, G15]", async () => {
    const id = await insertFull();
    const attributes = { ref_numbers: ["", "ok", "a\u0000b", 7], tags: null, pod_eta_at: null, colour: "red" };
    const response = await edit(id, attributes);
    expect(response.status).toBe(422);
    const faults = response.body.errors.map((error: { code: string; source: { pointer: string } }) => [
      error.source.pointer,
      error.code,
    ]);
    expect(faults.toSorted()).toEqual([
      ["/data/attributes/colour", "invalid"],
      ["/data/attributes/pod_eta_at", "invalid"],
      ["/data/attributes/ref_numbers/0", "blank"],
      ["/data/attributes/ref_numbers/2", "invalid"],
      ["/data/attributes/ref_numbers/3", "invalid"],
      ["/data/attributes/tags", "invalid"],
    ]);
  });

  test.each([
    ["101 reference numbers", { ref_numbers: Array.from({ length: 101 }, (_, index) => `PO-${index}`) }],
    ["a reference number of 101 characters", { ref_numbers: ["x".repeat(101)] }],
    ["a tag of 51 characters", { tags: ["x".repeat(51)] }],
    ["a lone surrogate", '{"data":{"attributes":{"tags":["\\ud800"]}}}'],
    ["a member called __proto__", '{"data":{"attributes":{"__proto__":{"tags":["x"]}}}}'],
    ["a relationship", { data: { attributes: {}, relationships: { destination: { data: null } } } }],
  ])("422: %s [spec: P16]", async (_name, input) => {
    const id = await insertFull();
    const body = typeof input === "string" || "data" in input ? input : { data: { attributes: input } };
    const response = await api.request(`/shipments/${id}`, { method: "PATCH", body });
    expect(response.status).toBe(422);
  });

  test.each([
    ["not JSON", "{"],
    ["nothing", ""],
    ["an array", "[]"],
    ["a text", '"x"'],
    ["null", "null"],
    ["no data", "{}"],
    ["data null", '{"data":null}'],
    ["data an array", '{"data":[]}'],
    ["no attributes", '{"data":{"type":"shipment"}}'],
    ["a repeated name", '{"data":{"attributes":{"tags":[],"tags":["x"]}}}'],
    ["bytes that are no UTF-8", Uint8Array.of(0x7b, 0xff, 0x7d)],
  ])("400: %s [spec: shipments.edit.data, shipments.edit.data.attributes, J68]", async (_name, body) => {
    const id = await insertFull();
    const response = await api.request(`/shipments/${id}`, { method: "PATCH", body });
    expect([response.status, response.body.errors[0].code]).toEqual([400, "malformed_document"]);
  });

  test("409: another type, another id [spec: J66, J67]", async () => {
    const id = await insertFull();
    const body = { data: { type: "container", id: "0199f0a0-0000-7000-8000-000000000001", attributes: { tags: [] } } };
    const response = await api.request(`/shipments/${id}`, { method: "PATCH", body });
    expect(response.status).toBe(409);
    expect(response.body.errors.map((error: { source: object }) => error.source)).toEqual([
      { pointer: "/data/type" },
      { pointer: "/data/id" },
    ]);
  });

  test("412: a write that is tied to an older version is refused; * and the present version are not [spec: P8, G11]", async () => {
    const id = await insertFull();
    const tag = (await api.request(`/shipments/${id}?include=containers`)).headers.get("etag") ?? "";
    expect((await edit(id, { tags: ["one"] }, { "If-Match": tag })).status).toBe(200);
    const late = await edit(id, { tags: ["two"] }, { "If-Match": tag });
    expect([late.status, late.body.errors[0].code]).toEqual([412, "precondition_failed"]);
    expect((await api.request(`/shipments/${id}`)).body.data.attributes.tags).toEqual(["one"]);
    expect((await edit(id, { tags: ["three"] }, { "If-Match": "*" })).status).toBe(200);
    expect((await edit(id, { tags: ["four"] }, { "If-Match": "nonsense" })).status).toBe(400);
  });

  test("loses no edit: every writer with If-Match succeeds after retries [spec: G11]", async () => {
    const id = await insertFull();
    await edit(id, { tags: [] });
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        for (;;) {
          const read = await api.request(`/shipments/${id}`);
          const tags = [...read.body.data.attributes.tags, `tag-${index}`];
          const { status } = await edit(id, { tags }, { "If-Match": read.headers.get("etag") ?? "" });
          if (status === 200) return;
          expect(status).toBe(412);
        }
      }),
    );
    const { tags } = (await api.request(`/shipments/${id}`)).body.data.attributes;
    expect(tags.toSorted()).toEqual(Array.from({ length: 8 }, (_, index) => `tag-${index}`));
  });

  test("404: another account's shipment is not found and not changed", async () => {
    const otherToken = await api.createAccount();
    const id = await insertShipment(api.database, otherToken.id, { tags: ["theirs"] });
    expect((await edit(id, { tags: ["mine"] })).status).toBe(404);
    expect((await api.database.prisma.shipment.findFirstOrThrow({ where: { id } })).tags).toEqual(["theirs"]);
  });

  test("401 without a token, 403 with one that may only read", async () => {
    const id = await insertFull();
    const body = { data: { attributes: { tags: [] } } };
    const none = await api.request(`/shipments/${id}`, { method: "PATCH", body, token: null });
    expect([none.status, none.headers.get("www-authenticate")]).toEqual([401, "Token"]);
    const reader = await api.request(`/shipments/${id}`, { method: "PATCH", body, token: api.account.readToken });
    expect([reader.status, reader.body.errors[0].code]).toEqual([403, "forbidden"]);
  });

  test("413 and 415 [spec: limits.5, J2, J5, P16]", async () => {
    const id = await insertFull();
    const large = await api.request(`/shipments/${id}`, { method: "PATCH", body: "x".repeat(1_048_577) });
    expect([large.status, large.body.errors[0].code]).toEqual([413, "payload_too_large"]);
    for (const type of ["text/plain", "application/vnd.api+json; version=1", "application/xml"]) {
      const response = await api.request(`/shipments/${id}`, {
        method: "PATCH",
        headers: { "Content-Type": type },
        body: "{}",
      });
      expect([response.status, response.body.errors[0].source]).toEqual([415, { header: "Content-Type" }]);
    }
  });
});

describe("GET /shipments", () => {
  test("200: a page by one statement, newest first, of this account only", async () => {
    const account = await api.createAccount();
    const older = await insertShipment(api.database, account.id, { createdAt: new Date("2026-11-01T00:00:00Z") });
    const newer = await insertShipment(api.database, account.id, { createdAt: new Date("2026-11-02T00:00:00Z") });
    await api.request("/shipments", { token: account.token });
    api.takeStatements();
    const { status, body } = await api.request("/shipments", { token: account.token });
    expect(api.takeStatements()).toEqual(["shipments.list::created_at-number"]);
    expect(status).toBe(200);
    expect(pageSchema(ShipmentResource.strict()).safeParse(body).error).toBeUndefined();
    expect(body.data.map((shipment: { id: string }) => shipment.id)).toEqual([newer, older]);
    expect(body.meta.page).toMatchObject({ total: 2, total_is_exact: true, size: 30, number: 1 });
  });

  test("200: `number` and `q`, as clients of the reference service filter", async () => {
    const account = await api.createAccount();
    const billed = await insertShipment(api.database, account.id, { number: "SBXQ111222", refNumbers: ["Kite 7"] });
    const boxed = await insertShipment(api.database, account.id, { number: "SBXQ333444" });
    await insertContainer(api.database, account.id, boxed, { number: "SBXU7770017" });
    const list = async (query: string) => {
      const { status, body } = await api.request(`/shipments?${query}`, { token: account.token });
      expect(status).toBe(200);
      return body.data.map((shipment: { id: string }) => shipment.id);
    };
    expect(await list("number=sbxq%20111-222")).toEqual([billed]);
    expect(await list("number=SBXQ111222&filter[number]=SBXQ111222,SBXQ333444")).toEqual([billed]);
    expect(await list("number=SBXQ111222&filter[number]=SBXQ333444")).toEqual([]);
    expect((await list("q=sbxq")).toSorted()).toEqual([billed, boxed].toSorted());
    expect(await list("q=kite%207")).toEqual([billed]);
    expect(await list("q=SBXU-7770017")).toEqual([boxed]);
    expect(await list("q=sbxq&filter[ref_number]=Kite%207")).toEqual([billed]);
    for (const nothing of ["q=nowhere", "q=--", "number=SBXQ1"]) expect(await list(nothing)).toEqual([]);
    const otherToken = await api.createAccount();
    expect((await api.request("/shipments?q=sbxq", { token: otherToken.token })).body.data).toEqual([]);
    const { body } = await api.request("/shipments?q=sbxq&page[size]=1", { token: account.token });
    expect([body.meta.page.total, body.links.next]).toEqual([2, expect.stringContaining("q=sbxq")]);
  });

  test("200: nothing found is an empty array [spec: J17]", async () => {
    const { token } = await api.createAccount();
    const { body } = await api.request("/shipments?include=containers", { token });
    expect([body.data, body.included, body.links.next]).toEqual([[], [], undefined]);
  });
});
