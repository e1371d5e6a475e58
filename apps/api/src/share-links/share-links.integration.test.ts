import { beforeAll, describe, expect, test } from "@jest/globals";
import { dayMs } from "@svc/domain";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { ShareLinkResource } from "@svc/jsonapi/share-links";
import { uuidV7 } from "@svc/persistence";
import { addMember } from "@svc/persistence/testing";
import { started } from "@svc/testkit/started";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let shipmentId: string;
beforeAll(async () => {
  shipmentId = await insertShipment(api.database, api.account.id, { number: "SHARED1" });
});

const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const create = (attributes: object = {}, { id = shipmentId, ...request }: { id?: string; token?: string } = {}) =>
  api.request(`/shipments/${id}/share_links`, {
    method: "POST",
    ...request,
    body: { data: { type: "share_link", attributes } },
  });
const idsOf = (response: { body: { data: { id: string }[] } }) => response.body.data.map(({ id }) => id);

describe("creating a share link", () => {
  test("201 with an address that no other has, for 30 days, without references and fees", async () => {
    const { status, headers, body } = await create();
    expect([status, documentSchema(ShareLinkResource.strict()).safeParse(body).error]).toEqual([201, undefined]);
    const { url, expires_at: expiresAt, ...others } = body.data.attributes;
    expect(url).toMatch(/^https?:\/\/[^/]+\/share\/[\w-]{43}$/);
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 30 * dayMs)).toBeLessThan(60_000);
    expect(others).toMatchObject({
      shipment_number: "SHARED1",
      status: "active",
      shows_references: false,
      shows_fees: false,
      revoked_at: null,
      last_opened_at: null,
      opened_count: 0,
      created_by: null,
    });
    expect(body.data.relationships.shipment.data).toEqual({ type: "shipment", id: shipmentId });
    expect((await api.request(headers.get("location") ?? "")).body).toEqual(body);
    expect((await create()).body.data.attributes.url).not.toBe(url);
  });

  test("stores the secret of the address only as its hash and encrypted", async () => {
    const { body } = await create();
    const secret = body.data.attributes.url.split("/").at(-1);
    const { rows } = await api.database.pool.query("SELECT l::text FROM share_links l WHERE id = $1", [body.data.id]);
    expect(rows).toHaveLength(1);
    for (const form of [secret, Buffer.from(secret).toString("hex")]) expect(rows[0].l).not.toContain(form);
  });

  test("accepts a content and an expiry, also none", async () => {
    const expires_at = inDays(3);
    const chosen = await create({ shows_references: true, shows_fees: true, expires_at });
    expect(chosen.body.data.attributes).toMatchObject({ shows_references: true, shows_fees: true, expires_at });
    expect((await create({ expires_at: null })).body.data.attributes).toMatchObject({
      status: "active",
      expires_at: null,
    });
  });

  test("422: an expiry in the past", async () => {
    const { status, body } = await create({ expires_at: inDays(-1) });
    expect([status, body.errors[0].source]).toEqual([422, { pointer: "/data/attributes/expires_at" }]);
    expect(body.errors[0].detail).toMatch(/^expires_at must be later than now/);
  });

  test("404: no such shipment, or one of another account", async () => {
    const otherAccount = await api.createAccount();
    expect((await create({}, { id: uuidV7.next() })).status).toBe(404);
    expect((await create({}, { token: otherAccount.token })).status).toBe(404);
  });

  test("403: a token that may only read", async () => {
    expect((await create({}, { token: api.account.readToken })).status).toBe(403);
  });

  test("names the member who created it", async () => {
    const { userId, email } = await addMember(api.database, api.account.id);
    const { body } = await create();
    await api.database.pool.query("UPDATE share_links SET created_by_user_id = $2 WHERE id = $1", [
      body.data.id,
      userId,
    ]);
    expect((await api.request(`/share_links/${body.data.id}`)).body.data.attributes.created_by).toBe(email);
  });
});

describe("listing share links", () => {
  test("filters by shipment and by status, and sorts by creation time", async () => {
    const other = await insertShipment(api.database, api.account.id, { number: "SHARED2" });
    const [active, expired, revoked] = await Promise.all(
      [1, 2, 3].map(async () => (await create({}, { id: other })).body.data.id as string),
    );
    await api.database.pool.query("UPDATE share_links SET expires_at = now() WHERE id = $1", [expired]);
    await api.request(`/share_links/${revoked}`, { method: "DELETE" });
    const list = async (query: string) => api.request(`/share_links?filter[shipment]=${other}${query}`);
    expect(pageSchema(ShareLinkResource.strict()).safeParse((await list("")).body).error).toBeUndefined();
    expect(idsOf(await list("")).toSorted()).toEqual([active, expired, revoked].toSorted());
    expect(idsOf(await list("&filter[status]=active"))).toEqual([active]);
    expect(idsOf(await list("&filter[status]=expired"))).toEqual([expired]);
    expect(idsOf(await list("&filter[status]=expired,revoked")).toSorted()).toEqual([expired, revoked].toSorted());
    const all = await api.request("/share_links?page[size]=100");
    expect(idsOf(all)).toEqual(expect.arrayContaining([active, expired, revoked]));
    const created = all.body.data.map((link: { attributes: { created_at: string } }) => link.attributes.created_at);
    expect(created).toEqual(created.toSorted().toReversed());
  });

  test("shows no address to a read-only token, and no link of another account", async () => {
    const { body } = await create();
    const { readToken } = api.account;
    for (const path of [`/share_links/${body.data.id}`, "/share_links?page[size]=100"]) {
      const response = await api.request(path, { token: readToken });
      expect(response.status).toBe(200);
      for (const link of [response.body.data].flat()) expect(link.attributes.url).toBeNull();
    }
    const { token } = await api.createAccount();
    expect((await api.request("/share_links", { token })).body.data).toEqual([]);
    expect((await api.request(`/share_links/${body.data.id}`, { token })).status).toBe(404);
    expect((await api.request(`/share_links/${body.data.id}`, { method: "DELETE", token })).status).toBe(404);
    expect((await api.request(`/share_links/${body.data.id}`)).body.data.attributes.status).toBe("active");
  });
});

describe("revoking a share link", () => {
  test("204, also again; it stays listed and its secret is erased", async () => {
    const { body } = await create();
    const path = `/share_links/${body.data.id}`;
    expect((await api.request(path, { method: "DELETE" })).status).toBe(204);
    const first = (await api.request(path)).body.data.attributes;
    expect(first).toMatchObject({ status: "revoked", url: null, revoked_at: expect.any(String) });
    expect((await api.request(path, { method: "DELETE" })).status).toBe(204);
    expect((await api.request(path)).body.data.attributes).toEqual(first);
    const sealed = "SELECT sealed_token FROM share_links WHERE id = $1";
    expect((await api.database.pool.query(sealed, [body.data.id])).rows).toEqual([{ sealed_token: null }]);
  });

  test("412: revoked in the meantime", async () => {
    const { body, headers } = await create();
    const path = `/share_links/${body.data.id}`;
    await api.request(path, { method: "DELETE" });
    const late = { method: "DELETE", headers: { "If-Match": headers.get("etag") ?? "" } };
    expect((await api.request(path, late)).status).toBe(412);
  });
});

test("a link is deleted with its shipment", async () => {
  const gone = await insertShipment(api.database, api.account.id, { number: "SHARED3" });
  const { body } = await create({}, { id: gone });
  await api.database.pool.query("DELETE FROM shipments WHERE id = $1", [gone]);
  expect((await api.request(`/share_links/${body.data.id}`)).status).toBe(404);
});
