import { beforeEach, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { InferNumberDocument, TrackingRequestResource } from "@svc/jsonapi/tracking-requests";
import { started } from "@svc/testkit/started";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi, type TestAccount } from "../testing/start-test-api.ts";

let account: TestAccount;
const api = started(startTestApi);
beforeEach(async () => {
  account = await api.createAccount();
});

const bill = { request_type: "bill_of_lading", request_number: "SBXL 1234-567", scac: "SBXL" };

const create = (attributes: object, rest: object = {}, headers: Record<string, string> = {}) =>
  api.request("/tracking_requests", {
    method: "POST",
    token: account.token,
    headers,
    body: { data: { type: "tracking_request", attributes, ...rest } },
  });

const pointers = (body: { errors: { code: string; source: { pointer: string } }[] }) =>
  body.errors.map((error) => [error.source.pointer, error.code]);

describe("POST /tracking_requests [spec: tracking_requests.create.payload, resource.tracking_request]", () => {
  test("201: stores the request and its tracking subject in one transaction with one statement [spec: J76, J80]", async () => {
    await create(bill);
    api.takeStatements();
    const number = "SBXL 7654-321";
    const { status, headers, body } = await create({
      ...bill,
      request_number: number,
      ref_numbers: ["PO-1"],
      shipment_tags: ["urgent"],
    });
    expect(api.takeStatements()).toEqual(["tracking-requests.insert"]);
    expect(status).toBe(201);
    expect(documentSchema(TrackingRequestResource.strict()).safeParse(body).error).toBeUndefined();
    expect(headers.get("location")).toBe(body.data.links.self);
    expect(body.data.attributes).toMatchObject({
      request_number: number,
      scac: "SBXL",
      status: "pending",
      ref_numbers: ["PO-1"],
      shipment_tags: ["urgent"],
      created_at: "2026-11-21T10:00:00.000Z",
    });
    expect(body.data.relationships.tracked_object.data).toBeNull();
    const { prisma } = api.database;
    const request = await prisma.trackingRequest.findFirstOrThrow({ where: { id: body.data.id } });
    const subject = await prisma.trackingSubject.findFirstOrThrow({ where: { id: request.subjectId ?? "" } });
    expect(subject).toMatchObject({ accountId: account.id, scac: "SBXL", kind: "bill_of_lading" });
    expect(subject.number).toBe(request.normalizedNumber);
    expect(subject.nextPollAt).toEqual(new Date("2026-11-21T10:00:00Z"));
    expect((await api.request(body.data.links.self, { token: account.token })).body.data).toEqual(body.data);
  });

  test("201: the tracking worker is woken when it is stored", async () => {
    const client = await api.database.pool.connect();
    const woken = new Promise((resolve) => client.once("notification", resolve));
    await client.query("LISTEN svc_tracking");
    await create(bill);
    await woken;
    await client.query("UNLISTEN svc_tracking");
    client.release();
  });

  test("201: resolves an alternative SCAC to its line, in any case of letters", async () => {
    const { status, body } = await create({ ...bill, scac: "medu", request_number: "MEDUAB123456" });
    expect([status, body.data?.attributes.scac]).toEqual([201, "MSCU"]);
  });

  test("201: has no shipping line and polls nothing until the carrier is detected", async () => {
    const number = { request_type: "bill_of_lading", request_number: "MAEU123456789", auto_detect_vocc_scac: true };
    api.takeStatements();
    const { status, body } = await create(number);
    expect(api.takeStatements()).toEqual(["tracking-requests.insert-undetected"]);
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({ scac: null, status: "pending", failed_reason: null });
    const request = await api.database.prisma.trackingRequest.findFirstOrThrow({ where: { id: body.data.id } });
    expect(request).toMatchObject({ scac: null, autoDetectScac: true, subjectId: null });
    expect((await create({ ...number, request_number: "1234567890" })).status).toBe(201);
    const refused = await create({ ...number, request_type: "container", request_number: "ABC" });
    expect([refused.status, pointers(refused.body)]).toEqual([422, [["/data/attributes/request_number", "invalid"]]]);
  });

  test("201: uses a given SCAC, whatever carrier the number suggests", async () => {
    const { status, body } = await create({
      request_type: "bill_of_lading",
      request_number: "MAEU123456789",
      scac: "SBXL",
      auto_detect_vocc_scac: true,
    });
    expect([status, body.data?.attributes.scac]).toEqual([201, "SBXL"]);
  });

  test.each([
    ["scac is missing", { scac: undefined }, [["/data/attributes/scac", "blank"]]],
    ["scac is null", { scac: null }, [["/data/attributes/scac", "blank"]]],
    ["scac is empty", { scac: "" }, [["/data/attributes/scac", "blank"]]],
    ["scac is unknown", { scac: "QQQQ" }, [["/data/attributes/scac", "invalid"]]],
    ["the number is missing", { request_number: undefined }, [["/data/attributes/request_number", "blank"]]],
    ["the number is empty", { request_number: " " }, [["/data/attributes/request_number", "blank"]]],
    [
      "the number has no letters or digits",
      { request_number: "--//" },
      [["/data/attributes/request_number", "invalid"]],
    ],
    ["the kind is unknown", { request_type: "house_bill" }, [["/data/attributes/request_type", "invalid"]]],
    [
      "a container number is none",
      { request_type: "container", request_number: "ABC" },
      [["/data/attributes/request_number", "invalid"]],
    ],
    [
      "several things are wrong",
      { request_type: 1, request_number: undefined, ref_numbers: ["", "\u0007"], colour: "red" },
      [
        ["/data/attributes/request_type", "invalid"],
        ["/data/attributes/request_number", "blank"],
        ["/data/attributes/ref_numbers/0", "blank"],
        ["/data/attributes/ref_numbers/1", "invalid"],
        ["/data/attributes/colour", "invalid"],
      ],
    ],
  ])("422: %s", async (_name, change, expected) => {
    const { status, body } = await create({ ...bill, ...change });
    expect([status, pointers(body)]).toEqual([422, expected]);
    expect(await api.database.prisma.trackingRequest.count({ where: { accountId: account.id } })).toBe(0);
  });

  test("422: a number type that the shipping line does not support", async () => {
    const { status, body } = await create({
      request_type: "bill_of_lading",
      request_number: "EGLV123456789012",
      scac: "EGLV",
    });
    expect([status, pointers(body)]).toEqual([422, [["/data/attributes/request_type", "not_supported"]]]);
  });

  test("422 duplicate: the same number and line, written differently, with the id of the first [spec: P6]", async () => {
    const first = await create(bill);
    const second = await create({ ...bill, request_number: "sbxl1234567" });
    expect(second.status).toBe(422);
    expect(pointers(second.body)).toEqual([["/data/attributes/request_number", "duplicate"]]);
    expect(second.body.errors[0].meta).toEqual({ tracking_request_id: first.body.data.id });
  });

  test("a refused duplicate does not have its number polled earlier", async () => {
    await create(bill);
    const later = new Date("2026-11-25T00:00:00Z");
    await api.database.prisma.trackingSubject.updateMany({
      where: { accountId: account.id },
      data: { nextPollAt: later },
    });
    expect((await create(bill)).status).toBe(422);
    const subject = await api.database.prisma.trackingSubject.findFirstOrThrow({ where: { accountId: account.id } });
    expect(subject.nextPollAt).toEqual(later);
  });

  test("accepts the number again after a failure, over the same subject", async () => {
    const first = await create(bill);
    await api.database.prisma.trackingRequest.updateMany({
      where: { id: first.body.data.id },
      data: { status: "failed", failedReason: "not_found" },
    });
    expect((await create(bill)).status).toBe(201);
    expect(await api.database.prisma.trackingSubject.count({ where: { accountId: account.id } })).toBe(1);
  });

  test("stores exactly one of twenty equal concurrent requests", async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(bill)));
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    for (const { status, body } of responses.filter((response) => response.status !== 201)) {
      expect(status).toBe(422);
      expect(body.errors[0].meta.tracking_request_id).toBe(created[0]?.body.data.id);
    }
  });

  test("accepts a number that another account tracks", async () => {
    await create(bill);
    account = await api.createAccount();
    expect((await create(bill)).status).toBe(201);
  });

  test("409: another type; 403: an id of the client's own; 404: an unknown customer [spec: J77, J78, J79]", async () => {
    const wrong = await api.request("/tracking_requests", {
      method: "POST",
      token: account.token,
      body: { data: { type: "shipment", attributes: bill } },
    });
    expect([wrong.status, pointers(wrong.body)]).toEqual([409, [["/data/type", "conflict"]]]);
    const own = await create(bill, { id: "0199f0a0-0000-7000-8000-000000000001" });
    expect([own.status, pointers(own.body)]).toEqual([403, [["/data/id", "forbidden"]]]);
    const customer = { data: { type: "party", id: "0199f0a0-0000-7000-8000-000000000001" } };
    const unknown = await create(bill, { relationships: { customer } });
    expect([unknown.status, pointers(unknown.body)]).toEqual([404, [["/data/relationships/customer", "not_found"]]]);
  });

  test("a customer of the account is linked", async () => {
    const body = { data: { type: "party", attributes: { company_name: "Acme" } } };
    const party = await api.request("/parties", { method: "POST", token: account.token, body });
    const customer = { data: { type: "party", id: party.body.data.id } };
    const response = await create(bill, { relationships: { customer } });
    expect(response.body.data.relationships.customer).toEqual(customer);
  });
});

describe("GET /tracking_requests", () => {
  test("200: a page, newest first, each filter narrowing it", async () => {
    api.setNow(instant("2026-11-21T08:00:00.000Z"));
    const first = await create(bill);
    api.setNow(instant("2026-11-21T10:00:00.000Z"));
    const second = await create({ request_type: "booking_number", request_number: "MAEU 123456789", scac: "MAEU" });
    const list = async (query: string) => {
      const { status, body } = await api.request(`/tracking_requests${query}`, { token: account.token });
      expect(status).toBe(200);
      expect(pageSchema(TrackingRequestResource.strict()).safeParse(body).error).toBeUndefined();
      return body.data.map((request: { id: string }) => request.id);
    };
    const [older, newer] = [first.body.data.id, second.body.data.id];
    expect(await list("")).toEqual([newer, older]);
    expect(await list("?sort=created_at")).toEqual([older, newer]);
    expect(await list("?filter[status]=pending,created")).toEqual([newer, older]);
    expect(await list("?filter[status]=failed")).toEqual([]);
    expect(await list("?filter[request_type]=booking_number")).toEqual([newer]);
    expect(await list("?filter[request_number]=maeu-123456789")).toEqual([newer]);
    expect(await list("?q=MAEU%20123456789")).toEqual([newer]);
    expect(await list("?q=MAEU123456789,SBX1&filter[request_number]=SBX1")).toEqual([]);
    expect(await list("?filter[scac]=sbxl")).toEqual([older]);
    expect(await list("?filter[created_at][start]=2026-11-21T09:00:00Z")).toEqual([newer]);
    expect(await list("?filter[created_at][end]=2026-11-21T09:00:00Z&filter[scac]=SBXL")).toEqual([older]);
  });

  test("the tracked shipment is included unless the request says otherwise", async () => {
    const { body } = await create(bill);
    const shipmentId = await insertShipment(api.database, account.id);
    await api.database.prisma.trackingRequest.updateMany({ where: { id: body.data.id }, data: { shipmentId } });
    await api.request(body.data.links.self, { token: account.token });
    api.takeStatements();
    const plain = await api.request(body.data.links.self, { token: account.token });
    expect(api.takeStatements()).toEqual(["tracking-requests.find", "shipments.find-many"]);
    expect(plain.body.included.map((resource: { id: string }) => resource.id)).toEqual([shipmentId]);
    const bare = await api.request(`${body.data.links.self}?include=`, { token: account.token });
    expect(bare.body.included).toEqual([]);
  });
});

describe("PATCH /tracking_requests/{id}", () => {
  test("200: changes the reference numbers, and writes nothing when they are the same", async () => {
    const { body } = await create(bill);
    const edit = (attributes: object) =>
      api.request(body.data.links.self, { method: "PATCH", token: account.token, body: { data: { attributes } } });
    const changed = await edit({ ref_numbers: ["PO-9"] });
    expect(changed.body.data.attributes.ref_numbers).toEqual(["PO-9"]);
    expect((await edit({ ref_numbers: ["PO-9"] })).headers.get("etag")).toBe(changed.headers.get("etag"));
    expect((await edit({ status: "failed" })).status).toBe(422);
    expect((await edit({ ref_number: "PO-10" })).body.data.attributes.ref_numbers).toEqual(["PO-10"]);
    const both = await edit({ ref_number: "PO-11", ref_numbers: ["PO-12"] });
    expect(pointers(both.body)).toEqual([["/data/attributes/ref_number", "invalid"]]);
  });

  test("404: another account's request is not found", async () => {
    const { body } = await create(bill);
    const otherAccount = await api.createAccount();
    const path = body.data.links.self;
    expect((await api.request(path, { token: otherAccount.token })).status).toBe(404);
    const edit = { method: "PATCH", token: otherAccount.token, body: { data: { attributes: { ref_numbers: ["x"] } } } };
    expect((await api.request(path, edit)).status).toBe(404);
  });
});

describe("POST /tracking_requests/infer_number", () => {
  const infer = (body: unknown) =>
    api.request("/tracking_requests/infer_number", { method: "POST", token: account.readToken, body });

  test("200: the kind, the check digit and the line", async () => {
    const { status, headers, body } = await infer({ number: "maeu 123456789" });
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(InferNumberDocument.strict().safeParse(body).error).toBeUndefined();
    expect(body.data.attributes).toMatchObject({
      number_type: "bill_of_lading",
      shipping_line: { decision: "auto_select", selected: { scac: "MAEU" } },
    });
    const container = await infer({ number: "CSQU3054383" });
    expect(container.body.data.attributes).toMatchObject({
      number_type: "container",
      validation: { is_valid: true, check_digit_passed: true, parsed_number: "CSQU3054383" },
    });
  });

  test("422: pointers into the flat body; 400: no object", async () => {
    const { status, body } = await infer({ number: 7, kind: "x" });
    expect([status, pointers(body)]).toEqual([
      422,
      [
        ["/number", "invalid"],
        ["/kind", "invalid"],
      ],
    ]);
    expect((await infer([])).status).toBe(400);
  });
});

describe("POST /tracking_requests/bulk", () => {
  const bulk = (data: unknown) =>
    api.request("/tracking_requests/bulk", { method: "POST", token: account.token, body: { data } });

  test("200: each is decided for itself, in order", async () => {
    const draft = (attributes: object) => ({ type: "tracking_request", attributes: { ...bill, ...attributes } });
    const { status, body } = await bulk([
      draft({ request_number: "SBXL1" }),
      draft({ scac: "QQQQ" }),
      "nonsense",
      draft({ request_number: "SBXL2" }),
    ]);
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ created: 2, refused: 2 });
    expect(body.meta.outcomes.map((outcome: { status: string }) => outcome.status)).toEqual([
      "201",
      "422",
      "400",
      "201",
    ]);
    expect(body.meta.outcomes[1].errors[0].source.pointer).toBe("/data/1/attributes/scac");
    const numbers = body.data.map(
      (request: { attributes: { request_number: string } }) => request.attributes.request_number,
    );
    expect(numbers).toEqual(["SBXL1", "SBXL2"]);
  });

  test("the same number twice in one request is tracked once", async () => {
    const item = { attributes: bill };
    const { body } = await bulk([item, item, item]);
    expect(body.meta).toMatchObject({ created: 1, refused: 2 });
  });

  test("400: none, too many, no array", async () => {
    for (const data of [[], Array.from({ length: 501 }, () => ({})), {}, undefined]) {
      expect((await bulk(data)).status).toBe(400);
    }
  });
});
