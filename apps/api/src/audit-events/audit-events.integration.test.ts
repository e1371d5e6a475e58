import { beforeAll, describe, expect, test } from "@jest/globals";
import { AuditEventResource } from "@svc/jsonapi/audit-events";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertException, insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

interface Event {
  readonly id: string;
  readonly attributes: AuditEventResource["attributes"];
}

const api = started(startTestApi);
let ownerToken: string;
let tokenId: string;
beforeAll(async () => {
  ownerToken = await api.createToken(api.account.id, { role: "owner" });
  const token = await api.database.prisma.apiToken.findFirstOrThrow({
    where: { accountId: api.account.id, hint: api.account.token.slice(-4) },
  });
  tokenId = token.id;
});

const list = async (query = ""): Promise<Event[]> =>
  (await api.request(`/audit_events?page[size]=100${query}`, { token: ownerToken })).body.data;
const actionsOf = async (subject: string) =>
  (await list(`&filter[subject]=${subject}`)).map(({ attributes }) => attributes.action).toReversed();
const write = (method: string, path: string, type: string, attributes: object, headers = {}) =>
  api.request(path, { method, headers, body: { data: { type, attributes } } });

const hook = { url: "https://example.com/hook", active: true, events: ["*"] };

describe("the audit log", () => {
  const tariff = {
    name: "Line tariff",
    kind: "demurrage",
    direction: "import",
    free_days: 2,
    currency_code: "USD",
    tiers: [{ from_day: 1, amount_per_day: "75.10" }],
  };
  const field = { entity_type: "Shipment", api_slug: "gate", display_name: "Gate", data_type: "enum" };
  test.each([
    ["saved_view", "/saved_views", { list: "shipments", name: "Late", shared: true }, { name: "Very late" }, "name"],
    ["demurrage_rule", "/demurrage_rules", tariff, { free_days: 3 }, "free_days"],
    ["custom_field_definition", "/custom_field_definitions", field, { display_name: "Gate code" }, "display_name"],
  ])("records a %s", async (type, path, attributes, change, column) => {
    const { body } = await write("POST", path, type, attributes);
    const { id } = body.data;
    const update = { data: { type, id, attributes: change } };
    expect((await api.request(`${path}/${id}`, { method: "PATCH", body: update })).status).toBe(200);
    expect((await api.request(`${path}/${id}`, { method: "DELETE" })).status).toBeLessThan(300);
    const events = (await list(`&filter[subject]=${id}`)).toReversed().map((event) => event.attributes);
    expect(events.map(({ action }) => action)).toEqual(
      ["created", "updated", "deleted"].map((verb) => `${type}.${verb}`),
    );
    expect(events[1]?.changes).toEqual({
      [column]: {
        from: Object.entries(attributes).find(([name]) => name === column)?.[1],
        to: Object.values(change)[0],
      },
    });
    expect(events[0]).toMatchObject({ subject_type: type, actor_type: "api_token", actor_id: tokenId });
  });

  test("records the options of a custom field", async () => {
    const { body } = await write("POST", "/custom_field_definitions", "custom_field_definition", field);
    const path = `/custom_field_definitions/${body.data.id}/options`;
    const option = await write("POST", path, "custom_field_option", { label: "North gate", value: "north" });
    expect(await actionsOf(option.body.data.id)).toEqual(["custom_field_option.created"]);
    const [created] = await list(`&filter[subject]=${option.body.data.id}`);
    expect(created?.attributes).toMatchObject({ subject_name: "North gate", changes: { value: { to: "north" } } });
  });

  test("records a webhook from its creation to its deletion, without its secrets", async () => {
    const headers = [{ name: "X-Key", value: "sk-4711" }];
    const { body } = await write("POST", "/webhooks", "webhook", { ...hook, headers });
    const { id } = body.data;
    const path = `/webhooks/${id}`;
    const update = { data: { type: "webhook", id, attributes: { active: false } } };
    await api.request(path, { method: "PATCH", body: update });
    const rotated = await api.request(`${path}/rotate_secret`, { method: "POST" });
    expect(rotated.status).toBeLessThan(300);
    expect((await api.request(path, { method: "DELETE" })).status).toBeLessThan(300);
    const events = await list(`&filter[subject]=${id}`);
    expect(events.map(({ attributes }) => attributes.action).toReversed()).toEqual([
      "webhook.created",
      "webhook.updated",
      "webhook.secret_rotated",
      "webhook.deleted",
    ]);
    for (const { attributes } of events) {
      expect(attributes).toMatchObject({ actor_type: "api_token", actor_id: tokenId, actor_name: "test" });
      expect([attributes.subject_type, attributes.subject_name]).toEqual(["webhook", hook.url]);
    }
    expect(events.at(-1)?.attributes.changes).toMatchObject({ url: { from: null, to: hook.url } });
    expect(events.at(-2)?.attributes.changes).toEqual({ active: { from: true, to: false } });
    expect(events.at(-3)?.attributes.changes).toEqual({ secret: { is_secret: true } });
    const text = JSON.stringify(events);
    for (const secret of ["sk-4711", body.data.attributes.secret, "sealed"]) expect(text).not.toContain(secret);
  });

  test("records edits of a shipment and its share links; a refused request is not recorded", async () => {
    const shipmentId = await insertShipment(api.database, api.account.id, { number: "AUDIT1" });
    const attributes = { ref_numbers: ["PO 1"], tags: ["urgent"], note: "Call first" };
    const path = `/shipments/${shipmentId}`;
    const body = { data: { type: "shipment", id: shipmentId, attributes } };
    expect((await api.request(path, { method: "PATCH", body })).status).toBe(200);
    const stale = { "If-Match": '"0"' };
    expect((await api.request(path, { method: "PATCH", body, headers: stale })).status).toBeGreaterThanOrEqual(400);
    const shared = await write("POST", `${path}/share_links`, "share_link", {});
    await api.request(`/share_links/${shared.body.data.id}`, { method: "DELETE" });
    const [edit, ...others] = await list(`&filter[subject]=${shipmentId}`);
    expect(others).toEqual([]);
    expect(edit?.attributes).toMatchObject({
      action: "shipment.updated",
      subject_name: "AUDIT1",
      changes: {
        ref_numbers: { from: [], to: ["PO 1"] },
        tags: { to: ["urgent"] },
        note: { from: null, to: "Call first" },
      },
    });
    expect(await actionsOf(shared.body.data.id)).toEqual(["share_link.created", "share_link.revoked"]);
  });

  test("shows every member of the account who changed an exception, and nothing else", async () => {
    const shipmentId = await insertShipment(api.database, api.account.id, { number: "AUDIT2" });
    const id = await insertException(api.database, api.account.id, { shipmentId, subjectId: shipmentId });
    const path = `/exceptions/${id}/audit_events`;
    const viewer = { token: await api.createToken(api.account.id, { role: "viewer" }) };
    expect((await api.request(path, viewer)).body.data).toEqual([]);
    for (const attributes of [{ note: "Truck booked" }, { status: "resolved" }, { status: "open" }]) {
      const body = { data: { type: "exception", id, attributes } };
      expect((await api.request(`/exceptions/${id}`, { method: "PATCH", body })).status).toBe(200);
    }
    const { body } = await api.request(path, viewer);
    pageSchema(AuditEventResource).parse(body);
    const events: Event[] = body.data;
    expect(events.map(({ attributes }) => Object.keys(attributes.changes))).toEqual([
      ["resolved_at"],
      ["resolved_at"],
      ["note"],
    ]);
    expect(events[2]?.attributes).toMatchObject({
      action: "exception.updated",
      subject_id: id,
      actor_type: "api_token",
      actor_name: "test",
      changes: { note: { from: null, to: "Truck booked" } },
    });
    const second = await api.request(`${path}?page[size]=1&page[number]=2`, viewer);
    expect(second.body.data[0].id).toBe(events[1]?.id);
    expect(second.body.meta.page.total).toBe(3);
    expect((await api.request(`/exceptions/${shipmentId}/audit_events`, viewer)).status).toBe(404);
    const otherAccount = await api.createAccount();
    expect((await api.request(path, { token: otherAccount.token })).status).toBe(404);
    expect((await api.request("/audit_events", viewer)).status).toBe(403);
  });

  test("records a repeated request with an idempotency key once", async () => {
    const headers = { "Idempotency-Key": uuidV7.next() };
    const first = await write("POST", "/webhooks", "webhook", hook, headers);
    const second = await write("POST", "/webhooks", "webhook", hook, headers);
    expect(second.body.data.id).toBe(first.body.data.id);
    expect(await actionsOf(first.body.data.id)).toEqual(["webhook.created"]);
  });

  test("does not record what the service does by itself", async () => {
    const { body } = await write("POST", "/webhooks", "webhook", hook);
    await api.database.pool.query("UPDATE webhooks SET active = false WHERE id = $1", [body.data.id]);
    expect(await actionsOf(body.data.id)).toEqual(["webhook.created"]);
  });

  test("has filters, one resource for each event, and cursors over all of them", async () => {
    for (let count = 0; count < 5; count++) await write("POST", "/webhooks", "webhook", hook);
    const created = await list("&filter[action]=webhook.created&filter[actor_type]=api_token");
    expect(created.length).toBeGreaterThanOrEqual(5);
    expect(new Set(created.map(({ attributes }) => attributes.action))).toEqual(new Set(["webhook.created"]));
    expect(await list(`&filter[actor]=${uuidV7.next()}`)).toEqual([]);
    expect(await list("&filter[subject_type]=account")).toEqual([]);
    const at = created[2]?.attributes.created_at ?? "";
    for (const { attributes } of await list(`&filter[created_before]=${at}`))
      expect(attributes.created_at < at).toBe(true);
    for (const { attributes } of await list(`&filter[created_after]=${at}`))
      expect(attributes.created_at > at).toBe(true);
    const all = await list();
    const read: string[] = [];
    let path = "/audit_events?page[size]=3";
    for (let isOver = false; !isOver; ) {
      const { body } = await api.request(path, { token: ownerToken });
      expect(pageSchema(AuditEventResource.strict()).safeParse(body).error).toBeUndefined();
      read.push(...body.data.map(({ id }: Event) => id));
      isOver = body.data.length < 3;
      path = `/audit_events?page[size]=3&page[after]=${body.meta.page.end_cursor}`;
    }
    expect(read).toEqual(all.map(({ id }) => id));
    const one = await api.request(`/audit_events/${read[0]}`, { token: ownerToken });
    expect(documentSchema(AuditEventResource.strict()).safeParse(one.body).error).toBeUndefined();
  });

  test("is closed to other roles and other accounts", async () => {
    const [{ id } = { id: "" }] = await list();
    const developer = await api.createToken(api.account.id, { role: "developer" });
    for (const path of ["/audit_events", `/audit_events/${id}`]) {
      expect((await api.request(path, { token: developer })).status).toBe(403);
    }
    const otherAccount = await api.createAccount();
    const token = await api.createToken(otherAccount.id, { role: "owner" });
    expect((await api.request("/audit_events", { token })).body.data).toEqual([]);
    expect((await api.request(`/audit_events/${id}`, { token })).status).toBe(404);
  });

  test("cannot be changed by the services", async () => {
    const { id: accountId } = api.account;
    for (const text of [
      "DELETE FROM audit_events WHERE account_id = $1",
      "UPDATE audit_events SET action = 'x' WHERE account_id = $1",
    ]) {
      await expect(api.database.tenantSql.execute({ name: "", text }, [accountId])).rejects.toThrow(
        /permission denied/,
      );
    }
  });
});
