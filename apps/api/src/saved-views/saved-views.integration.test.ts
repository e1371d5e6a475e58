import { createHash, randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { addMember } from "@svc/persistence/testing";
import { started, startedEach } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

let ann: string;
let ben: string;

const api = started(startTestApi);
const account = startedEach(() => api.createAccount());
beforeEach(async () => {
  [ann, ben] = [await memberToken(), await memberToken()];
});

const userOf = new Map<string, string>();

/** The token of another member of the account. */
async function memberToken(accountId = account.id): Promise<string> {
  const token = randomBytes(16).toString("hex");
  const { userId: id } = await addMember(api.database, accountId, { role: "operator" });
  await api.database.prisma.apiToken.create({
    data: {
      accountId,
      id: uuidV7.next(),
      name: "views",
      scopes: ["read", "write"],
      hint: "view",
      createdByUserId: id,
      tokenSha256: createHash("sha256").update(token).digest(),
      createdAt: new Date(),
    },
  });
  userOf.set(token, id);
  return token;
}

const send = (method: string, path: string, attributes?: object, token = ann, headers: Record<string, string> = {}) =>
  api.request(path, {
    method,
    token,
    headers,
    ...(attributes && { body: { data: { type: "saved_view", attributes } } }),
  });
const create = (attributes: object, token = ann) => send("POST", "/saved_views", attributes, token);
const edit = (id: string, attributes: object, token = ann) => send("PATCH", `/saved_views/${id}`, attributes, token);
const names = async (token = ann, query = "") =>
  (await send("GET", `/saved_views${query}`, undefined, token)).body.data.map(
    ({ attributes }: { attributes: { name: string } }) => attributes.name,
  );
const pointerOf = ({ body }: { body: { errors?: { source?: { pointer?: string } }[] } }) =>
  body.errors?.[0]?.source?.pointer;

/** Views of the member, or shared with the account. */
async function addViews(count: number, memberUserId: string | null): Promise<void> {
  const at = { createdAt: new Date(), updatedAt: new Date() };
  const stored = { accountId: account.id, memberUserId, list: "shipments", filters: {}, ...at };
  const data = Array.from({ length: count }, (_, index) => ({ ...stored, id: uuidV7.next(), name: `View ${index}` }));
  await api.database.prisma.savedView.createMany({ data });
}

const alert = (attributes: object) =>
  api.request("/alert_subscriptions", {
    method: "POST",
    token: ann,
    body: { data: { type: "alert_subscription", attributes } },
  });

const afloat = { list: "shipments", name: "Afloat", filters: { status: "in_transit", carrier: "MAEU" } };

describe("saved views", () => {
  test("keep filters, order and columns, and give the request for their records", async () => {
    const settings = { filters: { tag: "a,b", arrival: "next_7_days", tracking: "active" }, sort: "-arrival" };
    const { status, body, headers } = await create({ ...afloat, ...settings, columns: ["route", "arrival"] });
    expect([status, headers.get("location")]).toEqual([201, body.data.links.self]);
    const { attributes } = body.data;
    expect(attributes).toMatchObject({ ...settings, columns: ["route", "arrival"], shared: false, is_default: false });
    const url = new URL(attributes.records_url);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      "filter[tag]": "a\\,b",
      "filter[arrival_after]": "2026-11-21T10:00:00.000Z",
      "filter[arrival_before]": "2026-11-29T00:00:00.000Z",
      "filter[tracking_stopped]": "false",
      sort: "-arrival",
    });
    const records = await api.request(url.pathname.replace("/v2", "") + url.search, { token: ann });
    expect([records.status, records.body.data]).toEqual([200, []]);
  });

  test("give valid API requests for containers and exceptions", async () => {
    const conditions = ["last_free_day", "holds", "available", "fees", "late", "stale", "not_returned"];
    for (const condition of conditions) {
      const filters = { condition, port: "DEHAM", customer: "Müller, Söhne", status: "off_dock", tracking: "any" };
      const view = await create({ list: "containers", name: condition, filters, sort: "-delay" });
      expect([condition, view.status]).toEqual([condition, 201]);
      const { pathname, search } = new URL(view.body.data.attributes.records_url);
      expect((await api.request(pathname.replace("/v2", "") + search, { token: ann })).status).toBe(200);
    }
    const ownView = await create({ list: "exceptions", name: "Mine", filters: { owner: "me", kind: "fee" } });
    const { pathname, search, searchParams } = new URL(ownView.body.data.attributes.records_url);
    expect(searchParams.get("filter[owner]")).toBe(`${userOf.get(ann)}@example.test`);
    expect(searchParams.get("filter[status]")).toBe("open");
    expect((await api.request(pathname.replace("/v2", "") + search, { token: ann })).status).toBe(200);
  });

  test("are seen by their member, or shared by the whole account", async () => {
    const { id } = (await create(afloat)).body.data;
    await create({ ...afloat, name: "Of all", shared: true });
    expect(await names(ben)).toEqual(["Of all"]);
    expect((await names(ann)).sort()).toEqual(["Afloat", "Of all"]);
    for (const [method, body] of [["GET"], ["PATCH", { name: "x" }], ["DELETE"]] as const) {
      expect((await send(method, `/saved_views/${id}`, body, ben)).status).toBe(404);
    }
    const otherAccount = await api.createAccount();
    expect(await names(otherAccount.token)).toEqual([]);
    expect((await edit(id, { shared: true })).status).toBe(200);
    expect((await edit(id, { name: "Changed by Ben" }, ben)).body.data.attributes.name).toBe("Changed by Ben");
    expect(pointerOf(await edit(id, { shared: false }, ben))).toBe("/data/attributes/shared");
    expect((await edit(id, { shared: false })).status).toBe(200);
    expect(await names(ben)).toEqual(["Of all"]);
  });

  test("open a list for one member: the last one that was chosen, until it is no longer visible", async () => {
    const first = (await create({ ...afloat, shared: true, is_default: true })).body.data;
    const second = (await create({ ...afloat, name: "Other", is_default: true })).body.data;
    const isDefault = async (id: string, token = ann) =>
      (await send("GET", `/saved_views/${id}`, undefined, token)).body.data.attributes.is_default;
    expect([await isDefault(first.id), await isDefault(second.id)]).toEqual([false, true]);
    await edit(first.id, { is_default: true }, ben);
    expect([await isDefault(first.id, ben), await isDefault(first.id)]).toEqual([true, false]);
    await edit(first.id, { shared: false });
    await edit(first.id, { shared: true });
    expect(await isDefault(first.id, ben)).toBe(false);
    await edit(second.id, { is_default: false });
    expect(await isDefault(second.id)).toBe(false);
  });

  test.each([
    ["an unknown filter", { filters: { colour: "red" } }, "filters/colour"],
    ["a filter of another list", { filters: { condition: "holds" } }, "filters/condition"],
    ["a value that the filter does not take", { filters: { status: "sunk" } }, "filters/status"],
    ["an unknown sort key", { sort: "colour" }, "sort"],
    ["an unknown column", { columns: ["colour"] }, "columns"],
    ["an empty name", { name: " " }, "name"],
  ])("%s is refused", async (_what, wrong, name) => {
    const response = await create({ ...afloat, ...wrong });
    expect([response.status, pointerOf(response)]).toEqual([422, `/data/attributes/${name}`]);
    expect(await names()).toEqual([]);
  });

  test("a name is unique without regard to case, among shared views and those of a member", async () => {
    expect((await create(afloat)).status).toBe(201);
    const duplicate = await create({ ...afloat, name: "AFLOAT" });
    expect([duplicate.status, pointerOf(duplicate)]).toEqual([422, "/data/attributes/name"]);
    expect((await create({ ...afloat, list: "containers", filters: {} })).status).toBe(201);
    expect((await create({ ...afloat, shared: true })).status).toBe(201);
    expect((await create(afloat, ben)).status).toBe(201);
  });

  test("limits a member to 100 views, also under concurrent creation", async () => {
    await addViews(97, userOf.get(ann) ?? "");
    const all = Array.from({ length: 7 }, (_, index) => create({ ...afloat, name: `Last ${index}` }));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 201, 201, 422, 422, 422, 422]);
    expect((await create({ ...afloat, shared: true })).status).toBe(201);
  });

  test("limits shared views to 100, also when views are shared concurrently, and those of a member who stops sharing", async () => {
    await addViews(97, null);
    const own: string[] = [];
    for (let index = 0; index < 5; index += 1)
      own.push((await create({ ...afloat, name: `Own ${index}` })).body.data.id);
    const shared = await Promise.all(own.map((id) => edit(id, { shared: true })));
    expect(shared.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 422, 422]);
    const refused = shared.find(({ status }) => status === 422);
    expect(refused?.body.errors[0]).toMatchObject({
      code: "limit_reached",
      detail: expect.stringContaining("There may be 100 shared views of the account"),
      source: { pointer: "/data" },
    });
    const published = shared.find(({ status }) => status === 200)?.body.data.id;
    expect((await edit(published, { name: "Renamed" })).status).toBe(200);
    await addViews(98, userOf.get(ann) ?? "");
    expect((await edit(published, { shared: false })).status).toBe(422);
  });

  test("a token without a user has shared views only", async () => {
    const response = await create(afloat, account.token);
    expect([response.status, pointerOf(response)]).toEqual([422, "/data/attributes/shared"]);
    expect((await create({ ...afloat, shared: true }, account.token)).status).toBe(201);
    const opens = await create({ ...afloat, name: "Opens", shared: true, is_default: true }, account.token);
    expect(pointerOf(opens)).toBe("/data/attributes/is_default");
    expect(await names(account.token)).toEqual(["Afloat"]);
  });

  test("a filter whose value no longer exists is named, and the view can still be read and changed", async () => {
    const party = await api.request("/parties", {
      method: "POST",
      token: ann,
      body: { data: { type: "party", attributes: { company_name: "Nordwind" } } },
    });
    const filters = { customer: "nordw", carrier: "ZZZZ" };
    const { id } = (await create({ list: "containers", name: "Nordwind", filters })).body.data;
    const outdated = async () => (await send("GET", `/saved_views/${id}`)).body.data.attributes.outdated_filters;
    expect((await outdated()).map(({ name }: { name: string }) => name)).toEqual(["carrier"]);
    const renamed = { data: { type: "party", id: party.body.data.id, attributes: { company_name: "Kite" } } };
    const path = `/parties/${party.body.data.id}`;
    expect((await api.request(path, { method: "PATCH", token: ann, body: renamed })).status).toBe(200);
    expect((await outdated()).map(({ name }: { name: string }) => name)).toEqual(["carrier", "customer"]);
    await api.database.prisma.savedView.updateMany({ where: { id }, data: { filters: { colour: "red" } } });
    expect(await outdated()).toEqual([
      { name: "colour", value: "red", detail: expect.stringContaining("not applied") },
    ]);
    expect((await edit(id, { name: "Renamed" })).status).toBe(200);
  });

  test("are deleted with their member, unless they are shared", async () => {
    await create({ ...afloat, is_default: true });
    await create({ ...afloat, name: "Of all", shared: true, is_default: true });
    const { id } = (await create({ ...afloat, name: "Alerts me" })).body.data;
    const mail = { name: "Mine", channel: "email", member: `${userOf.get(ann)}@example.test`, frequency: "daily" };
    expect((await alert({ ...mail, saved_view_id: id })).status).toBe(201);
    await api.database.prisma.membership.deleteMany({
      where: { accountId: account.id, userId: userOf.get(ann) ?? "" },
    });
    expect(await names(ben)).toEqual(["Of all"]);
    expect(await api.database.prisma.savedView.count({ where: { accountId: account.id } })).toBe(1);
    expect(await api.database.prisma.defaultView.count({ where: { accountId: account.id } })).toBe(0);
  });

  test("an older version is not overwritten or deleted", async () => {
    const { data } = (await create(afloat)).body;
    const etag = (await send("GET", `/saved_views/${data.id}`)).headers.get("etag") ?? "";
    await edit(data.id, { name: "Newer" });
    const path = `/saved_views/${data.id}`;
    expect((await send("PATCH", path, { name: "Older" }, ann, { "If-Match": etag })).status).toBe(412);
    expect((await send("DELETE", path, undefined, ann, { "If-Match": etag })).status).toBe(412);
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("DELETE", path)).status).toBe(404);
  });
});

describe("alerts of a saved view", () => {
  const slack = { channel: "slack", webhook_url: "https://hooks.example.com/T1", frequency: "at_once", name: "Team" };
  test("keep the view from being deleted, stopped being shared, or filtered by what alerts cannot", async () => {
    const { id } = (await create({ ...afloat, shared: true })).body.data;
    const created = await alert({ ...slack, saved_view_id: id });
    expect([created.status, created.body.data.attributes.saved_view_id]).toEqual([201, id]);
    const refused = await send("DELETE", `/saved_views/${id}`);
    expect([refused.status, refused.body.errors[0].detail]).toEqual([409, expect.stringContaining('"Team"')]);
    expect(pointerOf(await edit(id, { shared: false }))).toBe("/data/attributes/shared");
    expect(pointerOf(await edit(id, { filters: { arrival: "next_7_days" } }))).toBe("/data/attributes/filters");
    expect((await edit(id, { filters: { carrier: "MAEU" } })).status).toBe(200);
    const path = `/alert_subscriptions/${created.body.data.id}`;
    const without = { data: { type: "alert_subscription", attributes: { saved_view_id: null } } };
    expect((await api.request(path, { method: "PATCH", token: ann, body: without })).status).toBe(200);
    expect((await send("DELETE", `/saved_views/${id}`)).status).toBe(204);
  });

  test("take only views that others see, and filters that alerts have", async () => {
    const own = (await create(afloat)).body.data.id;
    const late = { list: "containers", name: "Late", filters: { condition: "late" }, shared: true };
    const containers = (await create(late)).body.data.id;
    const soon = (await create({ ...afloat, name: "Soon", shared: true, filters: { arrival: "next_7_days" } })).body
      .data.id;
    for (const id of [own, containers, soon, uuidV7.next()]) {
      const response = await alert({ ...slack, saved_view_id: id });
      expect([response.status, pointerOf(response)]).toEqual([422, "/data/attributes/saved_view_id"]);
    }
  });
});
