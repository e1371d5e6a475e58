import { createHmac } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { documentSchema } from "@svc/jsonapi/documents";
import { EventImportResource } from "@svc/jsonapi/event-imports";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startTestApi, type TestAccount, type TestApi } from "../testing/start-test-api.ts";

let account: TestAccount;
const api = started(startTestApi);
beforeEach(async () => {
  account = await api.createAccount();
});

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
    expect([status, documentSchema(EventImportResource.strict()).safeParse(body).error]).toEqual([202, undefined]);
    expect(body.data.attributes.status).toBe("pending");
    const again = await post({ rows: [row] });
    expect([again.status, again.body.data.id]).toEqual([202, body.data.id]);
    expect((await messages()).length).toBe(1);
    await api.database.pool.query("UPDATE event_messages SET due_at = NULL WHERE account_id = $1", [account.id]);
    expect((await post({ rows: [row] })).body.data).toMatchObject({
      id: body.data.id,
      attributes: { status: "pending" },
    });
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
    await api.database.pool.query("UPDATE tracking_requests SET status = 'failed' WHERE account_id = $1", [account.id]);
    const ended = await post({ rows: [row] });
    expect([ended.status, ended.body.errors[0].detail, ended.body.errors[0].meta]).toEqual([
      422,
      "MAEU123456789 at MAEU is no longer tracked. Resume its shipment or create a tracking request, then send the file again.",
      { row: 1, column: "number" },
    ]);
    expect((await post({})).status).toBe(422);
    expect((await post({ rows: [row], csv: "a" })).status).toBe(422);
    expect(await messages()).toEqual([]);
  });
});

/** Stores as many messages as may wait for the tracking worker. */
async function fillQuota(): Promise<void> {
  await api.database.pool.query(
    `INSERT INTO event_messages
       (account_id, id, channel, scac, form, received_at, content_hash, event_count, body, due_at)
     SELECT $1, uuidv7(), 'push', 'MAEU', 'json', now(), sha256(n::text::bytea), 0, '', now()
     FROM generate_series(1, 500) n`,
    [account.id],
  );
}

describe("the quota of waiting messages", () => {
  test("429 with Retry-After for an import and a push once 500 wait, and nothing is stored; other accounts go on", async () => {
    const attributes = { request_type: "bill_of_lading", request_number: "MAEU123456789", scac: "MAEU" };
    const body = { data: { type: "tracking_request", attributes } };
    expect((await api.request("/tracking_requests", { method: "POST", token: account.token, body })).status).toBe(201);
    const { url, secret } = await connect();
    await fillQuota();
    const row = {
      scac: "MAEU",
      number: "MAEU123456789",
      event_code: "DEPA",
      classifier: "ACT",
      event_time: "2026-03-05T17:45:00+08:00",
    };
    const options = { method: "POST", token: account.token, body: { rows: [row] } };
    const imported = await api.request("/event_imports", options);
    const pushed = await push(url, "[1]", sign(secret, "[1]"));
    expect([imported.status, imported.headers.get("retry-after")]).toEqual([429, "30"]);
    expect([pushed.status, pushed.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await messages()).toHaveLength(500);
    account = await api.createAccount();
    const other = await connect();
    expect((await push(other.url, "[1]", sign(other.secret, "[1]"))).status).toBe(204);
  });

  test("429 for a connection that pushes more often than its rate limit; unsigned pushes do not count", async () => {
    const limited = await startTestApi({ limits: { push: 2 } });
    try {
      const owner = await limited.createAccount();
      const { url, secret } = await connect(limited, owner);
      for (let n = 0; n < 5; n++) expect((await push(url, "[]", sign("c2VjcmV0", "[]"))).status).toBe(401);
      const statuses: number[] = [];
      for (const text of ["[1]", "[2]", "[3]"]) statuses.push((await push(url, text, sign(secret, text))).status);
      expect(statuses).toEqual([204, 204, 429]);
    } finally {
      await limited.close();
    }
  });

  test("429 before the body is read, from an address beyond the limit of unsigned pushes", async () => {
    const limited = await startTestApi({ limits: { invalid_token: 2 } });
    try {
      const { url, secret } = await connect(limited, await limited.createAccount());
      const wrong = sign("c2VjcmV0", "[]");
      const statuses: number[] = [];
      for (let n = 0; n < 3; n++) statuses.push((await push(url, "[]", wrong)).status);
      expect(statuses).toEqual([401, 401, 429]);
      // Bodies that never end: two are read, the third gets a response although it has not arrived.
      const unfinished = Array.from({ length: 3 }, () => {
        const sent = request(url, {
          method: "POST",
          headers: { "content-type": "application/json", "content-length": "5000000", "Notification-Signature": wrong },
        });
        sent.on("error", () => undefined);
        sent.write("[");
        return { sent, responded: once(sent, "response") };
      });
      const [response] = await Promise.race(unfinished.map(({ responded }) => responded));
      expect([response.statusCode, Number(response.headers["retry-after"]) > 0]).toEqual([429, true]);
      for (const { sent, responded } of unfinished) {
        responded.catch(() => undefined);
        sent.destroy();
      }
      // One that is signed is served from this address, too.
      await eventually("it is read", async () => (await push(url, "[1]", sign(secret, "[1]"))).status === 204);
    } finally {
      await limited.close();
    }
  });
});

const connect = async (to: TestApi = api, owner = account): Promise<{ url: string; secret: string; id: string }> => {
  const attributes = { scac: "HLCU", credentials: { kind: "none" } };
  const body = { data: { type: "carrier_connection", attributes } };
  const { data } = (await to.request("/carrier_connections", { method: "POST", token: owner.token, body })).body;
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

describe("the push receiver", () => {
  test("204: stores a signed push unchanged, and a duplicate once; HEAD finds it", async () => {
    const { url, secret, id } = await connect();
    const body = JSON.stringify([{ eventID: "1" }]);
    expect((await fetch(url, { method: "HEAD" })).status).toBe(204);
    expect((await push(url, body, sign(secret, body))).status).toBe(204);
    expect((await push(url, body, sign(secret, body))).status).toBe(204);
    const stored = await messages();
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({ channel: "push", connection_id: id, scac: "HLCU" });
  });

  test("401 and nothing stored for any other signature; 404 for an unknown id; 413 for too much", async () => {
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

  test("a disabled connection receives nothing", async () => {
    const { url, secret, id } = await connect();
    const body = { data: { type: "carrier_connection", attributes: { active: false } } };
    await api.request(`/carrier_connections/${id}`, { method: "PATCH", token: account.token, body });
    expect((await push(url, "[]", sign(secret, "[]"))).status).toBe(404);
  });

  async function connectOther() {
    const ownAccount = account;
    account = await api.createAccount();
    const connected = await connect();
    account = ownAccount;
    return connected;
  }
});
