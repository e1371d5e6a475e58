import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { documentOf, EventImportResource } from "@svc/jsonapi";
import { startTestApi, type TestAccount, type TestApi } from "../testing/start-test-api.ts";

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
});
beforeEach(async () => {
  account = await api.createAccount();
});
afterAll(() => api.close());

const messages = async () =>
  (await api.database.pool.query("SELECT * FROM event_messages WHERE account_id = $1", [account.id])).rows;

describe("POST /event_imports", () => {
  const row = {
    scac: "MAEU",
    number: "MAEU123456789",
    event_code: "LOAD",
    classifier: "ACT",
    event_time: "2026-03-05T17:45:00+08:00",
    container_number: "MSKU0000006",
  };
  const post = (body: object, token = account.token) => api.request("/event_imports", { method: "POST", token, body });
  beforeEach(async () => {
    const attributes = { request_type: "bill_of_lading", request_number: "MAEU123456789", scac: "MAEU" };
    const body = { data: { type: "tracking_request", attributes } };
    expect((await api.request("/tracking_requests", { method: "POST", token: account.token, body })).status).toBe(201);
  });

  test("202: stored as it is and once, in either form; it can be read, by its account only", async () => {
    const { status, body, headers } = await post({ rows: [row] });
    expect([status, documentOf(EventImportResource.strict()).safeParse(body).error]).toEqual([202, undefined]);
    expect(body.data.attributes.status).toBe("pending");
    const again = await post({ rows: [row] });
    expect([again.status, again.body.data.id]).toEqual([202, body.data.id]);
    expect((await messages()).length).toBe(1);
    const csv = `${Object.keys(row).join(",")}\n${Object.values(row).join(",")}`;
    expect((await post({ csv })).status).toBe(202);
    const path = new URL(headers.get("location") ?? "").pathname.replace(/^\/v2/, "");
    expect((await api.request(path, { token: account.token })).body.data).toEqual(body.data);
    expect((await api.request(path, { token: (await api.createAccount()).token })).status).toBe(404);
  });

  test("422: every row that is wrong or not tracked is named, and nothing is stored", async () => {
    const wrong = await post({ rows: [row, { ...row, event_code: "FLY" }, { ...row, locode: "?" }] });
    expect([
      wrong.status,
      wrong.body.errors.map((error: { source: object; meta: object }) => [error.source, error.meta]),
    ]).toEqual([
      422,
      [
        [{ pointer: "/rows/1/event_code" }, { row: 2, column: "event_code" }],
        [{ pointer: "/rows/2/locode" }, { row: 3, column: "locode" }],
      ],
    ]);
    const unknown = await post({
      csv: `${Object.keys(row).join(",")}\n${Object.values({ ...row, number: "NOBODYS1" }).join(",")}`,
    });
    expect([unknown.status, unknown.body.errors[0].source, unknown.body.errors[0].meta]).toEqual([
      422,
      { pointer: "/csv" },
      { row: 1, column: "number" },
    ]);
    expect((await post({ rows: [{ ...row, scac: "HLCU" }] })).status).toBe(422);
    expect((await post({})).status).toBe(422);
    expect((await post({ rows: [row], csv: "a" })).status).toBe(422);
    expect(await messages()).toEqual([]);
  });
});

describe("the push receiver", () => {
  const connect = async (): Promise<{ url: string; secret: string; id: string }> => {
    const attributes = { scac: "HLCU", credentials: { kind: "none" } };
    const body = { data: { type: "carrier_connection", attributes } };
    const { data } = (await api.request("/carrier_connections", { method: "POST", token: account.token, body })).body;
    return { id: data.id, url: data.attributes.push_url, secret: data.attributes.push_secret };
  };
  const sign = (secret: string, body: string): string =>
    `sha256=${createHmac("sha256", Buffer.from(secret, "base64")).update(body).digest("hex")}`;
  const push = (url: string, body: string, signature?: string) =>
    fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...(signature && { "Notification-Signature": signature }) },
    });

  test("204: what is signed is stored as it is, a duplicate once; HEAD finds it", async () => {
    const { url, secret, id } = await connect();
    const body = JSON.stringify([{ eventID: "1" }]);
    expect((await fetch(url, { method: "HEAD" })).status).toBe(204);
    expect((await push(url, body, sign(secret, body))).status).toBe(204);
    expect((await push(url, body, sign(secret, body))).status).toBe(204);
    const stored = await messages();
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({ channel: "push", connection_id: id, scac: "HLCU" });
  });

  test("401 and nothing stored for any other signature; 404 for an id of nobody; 413 for too much", async () => {
    const { url, secret, id } = await connect();
    const body = "[]";
    const other = (await connectOther()).secret;
    for (const signature of [
      undefined,
      "",
      "sha256=",
      sign(other, body),
      sign(secret, "[1]"),
      sign(secret, body).slice(7),
    ]) {
      expect((await push(url, body, signature)).status).toBe(401);
    }
    for (const wrong of ["nobody", "0199f0a0-0000-7000-8000-000000000001", `${id}x`]) {
      const address = url.replace(id, wrong);
      expect((await push(address, body, sign(secret, body))).status).toBe(404);
      expect((await fetch(address, { method: "HEAD" })).status).toBe(404);
    }
    const large = " ".repeat(6 * 1024 * 1024);
    expect((await push(url, large, sign(secret, large))).status).toBe(413);
    expect(await messages()).toEqual([]);
  });

  test("a connection that is switched off receives nothing", async () => {
    const { url, secret, id } = await connect();
    const body = { data: { type: "carrier_connection", attributes: { active: false } } };
    await api.request(`/carrier_connections/${id}`, { method: "PATCH", token: account.token, body });
    expect((await push(url, "[]", sign(secret, "[]"))).status).toBe(404);
  });

  async function connectOther() {
    const mine = account;
    account = await api.createAccount();
    const connected = await connect();
    account = mine;
    return connected;
  }
});
