import { beforeAll, describe, expect, test } from "@jest/globals";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { ExceptionChargeResource, ExceptionResource } from "@svc/jsonapi/exceptions";
import { OverviewCountResource } from "@svc/jsonapi/overviews";
import { uuidV7 } from "@svc/persistence";
import { addMember } from "@svc/persistence/testing";
import { started } from "@svc/testkit/started";
import { insertContainer, insertException, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let shipmentId: string;
let containerId: string;
const ids: Record<"over" | "delay" | "failed" | "ended", string> = { over: "", delay: "", failed: "", ended: "" };
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

beforeAll(async () => {
  const { database, account } = api;
  const customer = { accountId: account.id, id: uuidV7.next(), companyName: "Nordic Furniture" };
  await database.prisma.party.create({ data: { ...customer, createdAt: new Date(), updatedAt: new Date() } });
  const port = await database.prisma.port.findFirstOrThrow({ where: { locode: "NLRTM" } });
  shipmentId = await insertShipment(database, account.id, {
    number: "SBXDIR1",
    refNumbers: ["PO 4711"],
    portOfDischargeId: port.id,
    customerId: customer.id,
    tags: ["urgent"],
  });
  containerId = await insertContainer(database, account.id, shipmentId, { number: "SBXU0000019" });
  await insertContainer(database, account.id, shipmentId, { number: "SBXU0000027" });
  const requestId = uuidV7.next();
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const request = { requestType: "container", requestNumber: "MSKU0000006", normalizedNumber: "MSKU0000006" };
  await database.prisma.trackingRequest.create({
    data: { accountId: account.id, id: requestId, ...request, scac: "SBXL", status: "failed", ...times },
  });
  ids.over = await insertException(database, account.id, {
    shipmentId,
    containerId,
    subjectId: containerId,
    kind: "last_free_day_over",
    priority: 14_002,
    details: {
      days: 2,
      lastFreeDay: "2026-11-18",
      amounts: [{ amount: 300, currencyCode: "USD" }],
      perDay: { amount: 150, currencyCode: "USD" },
    },
  });
  ids.delay = await insertException(database, account.id, {
    shipmentId,
    subjectId: shipmentId,
    kind: "eta_delay",
    severity: "warning",
    priority: 4_003,
    details: { days: 3, estimatedArrivalAt: "2026-12-01T10:00:00.000Z", estimatedArrivalDate: "2026-12-01" },
    openedAt: inDays(-1),
  });
  ids.failed = await insertException(database, account.id, {
    trackingRequestId: requestId,
    subjectId: requestId,
    kind: "tracking_request_failed",
    priority: 9_000,
    details: { failedReason: "not_found" },
  });
  const ended = { endedAt: inDays(-1), resolvedAt: inDays(-1), resolution: "cleared" } as const;
  ids.ended = await insertException(database, account.id, { shipmentId, subjectId: shipmentId, ...ended });
  await addMember(api.database, api.account.id, { email: "ann@example.com" });
});

async function listed(query: string, token = api.account.token): Promise<string[]> {
  const { status, body } = await api.request(`/exceptions?${query}`, { token });
  expect([status, pageSchema(ExceptionResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
  return body.data.map(({ id }: { id: string }) => id);
}
const edit = (id: string, attributes: object, options: object = {}) =>
  api.request(`/exceptions/${id}`, {
    method: "PATCH",
    body: { data: { type: "exception", id, attributes } },
    ...options,
  });
const fault = ({ status, body }: Awaited<ReturnType<typeof edit>>) => [status, body.errors[0].source.pointer];

describe("GET /exceptions [spec: R16]", () => {
  test("the most urgent come first, priced and with their cause", async () => {
    expect(await listed("filter[status]=open")).toEqual([ids.over, ids.failed, ids.delay]);
    const { body } = await api.request(`/exceptions/${ids.over}?include=shipment,container`);
    expect(documentSchema(ExceptionResource.strict()).safeParse(body).error).toBeUndefined();
    expect(body.data.attributes).toMatchObject({
      kind: "last_free_day_over",
      status: "open",
      number: "SBXU0000019",
      shipment_number: "SBXDIR1",
      days: 2,
      summary: "Last free day was 2 days ago, 300.00 USD so far, 150.00 USD per day",
      cause: "Last free day: 18 Nov 2026.",
      amount_per_day: { amount: 150, currency_code: "USD" },
    });
    expect(body.included.map(({ type }: { type: string }) => type).toSorted()).toEqual(["container", "shipment"]);
  });

  test.each<[string, () => string[]]>([
    ["filter[kind]=eta_delay,tracking_request_failed", () => [ids.failed, ids.delay]],
    ["filter[severity]=warning", () => [ids.delay]],
    ["filter[status]=resolved", () => [ids.ended]],
    ["filter[owner]=ann@example.com", () => []],
    ["filter[owner]=none&filter[kind]=eta_delay", () => [ids.delay]],
    ["filter[owner]=stranger@example.com", () => []],
    ["filter[kind]=fee", () => []],
    ["filter[carrier]=sbxl&filter[status]=open", () => [ids.over, ids.failed, ids.delay]],
    ["filter[carrier]=MAEU", () => []],
    ["filter[customer]=nordic&filter[status]=open", () => [ids.over, ids.delay]],
    ["filter[customer]=%25", () => []],
    ["filter[customer_name]=NORDIC furniture&filter[status]=open", () => [ids.over, ids.delay]],
    ["filter[customer_name]=nordic", () => []],
    ["filter[tag]=urgent&filter[kind]=eta_delay", () => [ids.delay]],
    ["filter[tag]=urg", () => []],
    ["filter[port_of_discharge]=nlrtm&filter[status]=open", () => [ids.over, ids.delay]],
    ["filter[port_of_discharge]=DEHAM", () => []],
    ["filter[search]=4711&filter[status]=open", () => [ids.over, ids.delay]],
    ["filter[search]=sbxu 000001&filter[status]=open", () => [ids.over, ids.delay]],
    ["filter[search]=SBXU0000027&filter[status]=open", () => [ids.delay]],
    ["filter[search]=msku 000000", () => [ids.failed]],
    ["filter[search]=NOSUCHNUMBER", () => []],
    ["filter[search]=%E2%80%8B", () => []],
    ["filter[ended]=true", () => [ids.ended]],
    ["filter[ended]=false", () => [ids.over, ids.failed, ids.delay]],
  ])("?%s", async (query, expected) => {
    expect(await listed(query)).toEqual(expected());
  });

  test("filters by shipment, container and time, and sorts and paginates", async () => {
    expect(await listed(`filter[container]=${containerId}`)).toEqual([ids.over]);
    expect(await listed(`filter[shipment]=${shipmentId}&filter[status]=open`)).toEqual([ids.over, ids.delay]);
    expect(await listed(`filter[opened_after]=${inDays(-2).toISOString()}`)).toEqual([ids.delay]);
    const first = await api.request("/exceptions?sort=-priority&page[size]=2");
    const next = await api.request(first.body.links.next.replace(/^.*\/v2/, ""));
    const all = [...first.body.data, ...next.body.data].map(({ id }: { id: string }) => id);
    expect(all).toEqual(await listed(""));
    expect((await listed("sort=-opened_at"))[0]).toBe(ids.delay);
    expect(await listed("sort=-resolved_at&filter[status]=resolved")).toEqual([ids.ended]);
  });

  test("counts by kind and status with the filters of the list", async () => {
    const { status, body } = await api.request("/exceptions/counts?group_by=status");
    for (const one of body.data) expect(OverviewCountResource.strict().safeParse(one).error).toBeUndefined();
    const counts = body.data.map(({ attributes }: { attributes: object }) => attributes);
    expect([status, counts]).toEqual([
      200,
      [
        { value: "open", count: 3 },
        { value: "resolved", count: 1 },
      ],
    ]);
    const byKind = await api.request("/exceptions/counts?filter[status]=open&filter[severity]=warning");
    expect(byKind.body.data.map(({ id }: { id: string }) => id)).toEqual(["eta_delay"]);
    const byCustomer = await api.request("/exceptions/counts?group_by=customer&filter[status]=open");
    expect(byCustomer.body.data.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
      { value: "Nordic Furniture", count: 2 },
      { value: null, count: 1 },
    ]);
  });

  test("sums charges by customer, of what still charges", async () => {
    const { status, body } = await api.request("/exceptions/charges?group_by=customer");
    for (const one of body.data) expect(ExceptionChargeResource.strict().safeParse(one).error).toBeUndefined();
    const counts = { containers: 1, repeated: 0, unpriced: 0, outdated: 0, snoozed: 0, resolved: 0 };
    const sums = [{ currency_code: "USD", amount: 300, amount_per_day: 150, rated: 1 }];
    expect([status, body.data.map(({ attributes }: { attributes: object }) => attributes)]).toEqual([
      200,
      [{ value: "Nordic Furniture", ...counts, sums }],
    ]);
    const named = await api.request("/exceptions/charges?filter[customer_name]=nordic furniture&filter[search]=4711");
    expect([named.body.data.length, named.body.meta.search.is_complete]).toEqual([1, true]);
    for (const query of ["filter[customer]=unknown", "filter[customer_name]=nordic", "filter[kind]=fee"]) {
      expect((await api.request(`/exceptions/charges?${query}`)).body.data).toEqual([]);
    }
    for (const query of ["group_by=severity", "filter[kind]=hold", "filter[ended]=true"]) {
      expect([query, (await api.request(`/exceptions/charges?${query}`)).status]).toEqual([query, 400]);
    }
  });

  test("sums neither what ended nor what charges nothing", async () => {
    const { id, token } = await api.createAccount();
    const shipment = await insertShipment(api.database, id, { number: "SBXDIR2" });
    const container = await insertContainer(api.database, id, shipment, { number: "SBXU0000034" });
    const add = (kind: string, more: object) =>
      insertException(api.database, id, {
        shipmentId: shipment,
        containerId: container,
        subjectId: container,
        kind,
        ...more,
      });
    const charged = (amount: number) => ({ details: { amounts: [{ amount, currencyCode: "USD" }] } });
    // From the last free day on, the fees that grow by time are part of its exception.
    await add("fee", { ...charged(150), endedAt: inDays(-1), resolvedAt: inDays(-1), resolution: "superseded" });
    await add("last_free_day_over", { ...charged(300), snoozedUntil: inDays(1) });
    await add("hold", {});
    const { body } = await api.request("/exceptions/charges", { token });
    expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { value: "last_free_day_over", containers: 1, snoozed: 1, sums: [{ amount: 300 }] },
    ]);
  });

  test("counts the results of a search, and reports whether the count is complete", async () => {
    const { body } = await api.request("/exceptions?filter[search]=4711");
    expect(body.meta.search).toEqual({ is_complete: true, containers: [] });
    const counts = await api.request("/exceptions/counts?filter[search]=4711&group_by=status");
    expect(counts.body.data.map(({ id }: { id: string }) => id)).toEqual(["open", "resolved"]);
  });

  test("hides exceptions from another account, which cannot edit them", async () => {
    const { token } = await api.createAccount();
    expect(await listed("", token)).toEqual([]);
    expect((await edit(ids.over, { note: "x" }, { token })).status).toBe(404);
  });

  test("responds 400 to an unknown kind", async () => {
    const { status, body } = await api.request("/exceptions?filter[kind]=lost");
    expect([status, body.errors[0].source.parameter]).toEqual([400, "filter[kind]"]);
  });
});

describe("PATCH /exceptions/{id}", () => {
  test("gives an owner and a note, and snoozes it until a time", async () => {
    const until = inDays(1).toISOString();
    const { status, body } = await edit(ids.delay, {
      owner: "Ann@Example.com",
      snoozed_until: until,
      note: "Truck booked",
    });
    expect([status, body.data.attributes]).toMatchObject([
      200,
      { status: "snoozed", owner: "ann@example.com", snoozed_until: until, note: "Truck booked" },
    ]);
    expect(await listed("filter[status]=snoozed&filter[owner]=ann@example.com")).toEqual([ids.delay]);
    const open = await edit(ids.delay, { status: "open", owner: null });
    expect(open.body.data.attributes).toMatchObject({
      status: "open",
      snoozed_until: null,
      owner: null,
      note: "Truck booked",
    });
  });

  test("resolves and reopens it, tied to the version that was read", async () => {
    const read = await api.request(`/exceptions/${ids.failed}`);
    const headers = { "If-Match": read.headers.get("etag") ?? "" };
    const resolved = await edit(ids.failed, { status: "resolved" }, { headers });
    expect(resolved.body.data.attributes).toMatchObject({
      status: "resolved",
      resolution: "by_member",
      ended_at: null,
    });
    expect((await edit(ids.failed, { status: "open" }, { headers })).status).toBe(412);
    expect((await edit(ids.failed, { status: "open" })).body.data.attributes).toMatchObject({
      status: "open",
      resolution: null,
    });
  });

  test("422: an owner that is no member, a snooze of the past, and reopening what has ended", async () => {
    await addMember(api.database, (await api.createAccount()).id, { email: "ben@example.com" });
    expect(fault(await edit(ids.over, { owner: "ben@example.com" }))).toEqual([422, "/data/attributes/owner"]);
    const past = { snoozed_until: "2020-01-01T00:00:00Z" };
    expect(fault(await edit(ids.over, past))).toEqual([422, "/data/attributes/snoozed_until"]);
    expect(fault(await edit(ids.ended, { status: "open" }))).toEqual([422, "/data/attributes/status"]);
    expect((await edit(ids.over, { kind: "fee" })).status).toBe(422);
  });

  test("keeps the edits of two members who write concurrently", async () => {
    await Promise.all([edit(ids.over, { note: "Called" }), edit(ids.over, { owner: "ann@example.com" })]);
    const { body } = await api.request(`/exceptions/${ids.over}`);
    expect(body.data.attributes).toMatchObject({ note: "Called", owner: "ann@example.com" });
  });
});

describe("webhooks [spec: R16]", () => {
  const sent = async () => {
    const events = await api.database.prisma.notificationEvent.findMany({
      where: { accountId: api.account.id, referenceType: "exception" },
      orderBy: { id: "asc" },
    });
    return events.map(({ event, included }) => [event, JSON.parse(included)[0].attributes.resolution]);
  };

  test("a member's resolution and its reopening are notified once each, other edits and repetitions are not", async () => {
    const attributes = { url: "https://example.com/exceptions", active: true, events: ["exception.*"] };
    await api.request("/webhooks", { method: "POST", body: { data: { type: "webhook", attributes } } });
    const id = await insertException(api.database, api.account.id, { shipmentId, subjectId: shipmentId });
    await edit(id, { note: "Called the terminal", owner: "ann@example.com" });
    expect(await sent()).toEqual([]);
    await Promise.all(Array.from({ length: 5 }, () => edit(id, { status: "resolved" })));
    expect(await sent()).toEqual([["exception.resolved", "by_member"]]);
    await edit(id, { status: "open" });
    await edit(id, { status: "open" });
    expect(await sent()).toEqual([
      ["exception.resolved", "by_member"],
      ["exception.opened", null],
    ]);
    const [event] = await api.database.prisma.notificationEvent.findMany({ where: { referenceId: id } });
    const included = JSON.parse(event?.included ?? "[]");
    expect(included.map(({ type }: { type: string }) => type)).toEqual(["exception", "shipment"]);
    expect(included[0].attributes.owner).toBe("ann@example.com");
  });
});

describe("a superseded exception", () => {
  test("can be excluded from lists and counts, and cannot be edited", async () => {
    const own = await api.createAccount();
    const { token } = own;
    const otherShipmentId = await insertShipment(api.database, own.id, { number: "SBXDIR2" });
    const ended = { endedAt: inDays(-1), resolvedAt: inDays(-1) };
    const insert = (columns: object) =>
      insertException(api.database, own.id, { shipmentId: otherShipmentId, subjectId: otherShipmentId, ...columns });
    const today = await insert({ kind: "last_free_day_today", ...ended, resolution: "superseded", priority: 15_000 });
    const hold = await insert({ ...ended, resolution: "cleared" });
    const over = await insert({ kind: "last_free_day_over", priority: 16_000 });
    expect(await listed("filter[status]=resolved", token)).toEqual([today, hold]);
    expect(await listed("filter[superseded]=false", token)).toEqual([over, hold]);
    expect(await listed("filter[superseded]=true", token)).toEqual([today]);
    expect(await listed("filter[resolution]=superseded", token)).toEqual([today]);
    const { body } = await api.request("/exceptions/counts?group_by=status&filter[superseded]=false", { token });
    const counts = body.data.map(({ attributes }: { attributes: { value: string; count: number } }) => attributes);
    expect(counts.toSorted((a: { value: string }, b: { value: string }) => a.value.localeCompare(b.value))).toEqual([
      { value: "open", count: 1 },
      { value: "resolved", count: 1 },
    ]);
    const refused = await edit(today, { note: "Truck booked" }, { token });
    expect([refused.status, refused.body.errors[0].detail]).toEqual([409, expect.stringContaining("took its place")]);
    expect((await edit(over, { note: "Truck booked" }, { token })).status).toBe(200);
  });
});
