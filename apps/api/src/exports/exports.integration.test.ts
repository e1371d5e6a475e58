import { once } from "node:events";
import http from "node:http";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { insertContainer, insertShipment, insertTransportEvent } from "../testing/rows.ts";
import { startTestApi, type TestResponse } from "../testing/start-test-api.ts";

const api = started(() => startTestApi({ limits: { default: 10_000 } }));
const largeShipmentCount = 20_000;
const account = started(() => api.createAccount());
/** Account with more shipments than the buffers of two sockets hold. */
const large = started(() => api.createAccount());
beforeAll(async () => {
  await insertMany(large.id, largeShipmentCount);
});

const cursorOf = (response: TestResponse): string => response.headers.get("export-cursor") ?? "";
const linesOf = ({ text }: TestResponse): Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

async function read(resource: string, query: Readonly<Record<string, string>> = {}, token = account.token) {
  const response = await api.request(`/exports/${resource}?${new URLSearchParams(query)}`, { token });
  expect(response.status).toBe(200);
  return response;
}

/** An export ends before the oldest transaction of the server, which may be one of another test. */
const ended = (transactionsOf: () => Promise<boolean>) => eventually("earlier transactions have ended", transactionsOf);

async function cursorAfterNow(): Promise<string> {
  const { rows } = await api.database.pool.query<{ id: string }>("SELECT pg_current_xact_id()::text AS id");
  const written = BigInt(rows[0]?.id ?? 0);
  let cursor = "";
  await ended(async () => {
    const oldest = await api.database.pool.query<{ id: string }>(
      "SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS id",
    );
    if (BigInt(oldest.rows[0]?.id ?? 0) <= written) return false;
    cursor = cursorOf(await read("shipments"));
    return true;
  });
  return cursor;
}

async function insertMany(accountId: string, count: number): Promise<void> {
  await api.database.pool.query(
    `INSERT INTO shipments (account_id, id, bill_of_lading_number, normalized_number, number_kind, shipping_line_scac,
       created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'BULK' || n, 'BULK' || n, 'bill_of_lading', 'SBXL', now(), now()
     FROM generate_series(1, $2::int) n`,
    [accountId, count],
  );
}

describe("GET /exports/{resource} [spec: R14]", () => {
  test("200: JSON Lines with attributes and ids, of the caller's account only", async () => {
    const ownAccount = await api.createAccount();
    const shipmentId = await insertShipment(api.database, ownAccount.id, { number: "SBXLEXPORT1", tags: ["a", "b"] });
    const containerId = await insertContainer(api.database, ownAccount.id, shipmentId, { number: "SBXU1234565" });
    const eventId = await insertTransportEvent(api.database, ownAccount.id, { shipmentId, containerId });
    await insertShipment(api.database, account.id);
    await cursorAfterNow();
    const shipments = await read("shipments", {}, ownAccount.readToken);
    expect(shipments.headers.get("content-type")).toBe("application/jsonl");
    expect(linesOf(shipments)).toEqual([
      expect.objectContaining({ id: shipmentId, bill_of_lading_number: "SBXLEXPORT1", tags: ["a", "b"] }),
    ]);
    expect(linesOf(await read("containers", {}, ownAccount.readToken))).toEqual([
      expect.objectContaining({
        id: containerId,
        number: "SBXU1234565",
        shipment_id: shipmentId,
        pickup_lfd_rail: null,
      }),
    ]);
    const event = { id: eventId, event: "container.transport.vessel_departed", container_id: containerId };
    expect(linesOf(await read("transport_events", {}, ownAccount.readToken))).toEqual([expect.objectContaining(event)]);
  });

  test("200: CSV by format or Accept; a spreadsheet runs no cell as a formula", async () => {
    const ownAccount = await api.createAccount();
    await insertShipment(api.database, ownAccount.id, { number: "SBXLEXPORT2", refNumbers: ["=1+1", "x,y"] });
    await cursorAfterNow();
    const byFormat = await read("shipments", { format: "csv" }, ownAccount.token);
    const byAccept = await api.request("/exports/shipments", {
      token: ownAccount.token,
      headers: { Accept: "text/csv" },
    });
    expect(byFormat.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(byAccept.text).toBe(byFormat.text);
    const [header = "", row = ""] = byFormat.text.split("\r\n");
    expect(header).toMatch(/^id,bill_of_lading_number,normalized_number,ref_numbers,/);
    expect(row).toContain(`,SBXLEXPORT2,SBXLEXPORT2,"'=1+1; x,y",`);
  });

  test("200: since finds each record that changed, once in its present state, and nothing else", async () => {
    const ownAccount = await api.createAccount();
    const [changed, unchanged] = [
      await insertShipment(api.database, ownAccount.id),
      await insertShipment(api.database, ownAccount.id),
    ];
    const since = await cursorAfterNow();
    expect(linesOf(await read("shipments", { since }, ownAccount.token))).toEqual([]);
    for (const tag of ["first", "second"]) {
      const body = { data: { type: "shipment", attributes: { tags: [tag] } } };
      await api.request(`/shipments/${changed}`, { method: "PATCH", token: ownAccount.token, body });
    }
    const added = await insertShipment(api.database, ownAccount.id);
    await cursorAfterNow();
    const rows = linesOf(await read("shipments", { since }, ownAccount.token));
    expect(rows.map(({ id }) => id)).toEqual([changed, added]);
    expect(rows.map(({ id }) => id)).not.toContain(unchanged);
    expect(rows[0]).toMatchObject({ tags: ["second"] });
  });

  test("200: a change that a slow transaction commits late is in the next export", async () => {
    const ownAccount = await api.createAccount();
    const slowId = await insertShipment(api.database, ownAccount.id);
    const since = await cursorAfterNow();
    const slow = await api.database.pool.connect();
    await slow.query("BEGIN");
    await slow.query("UPDATE shipments SET tags = '{slow}', updated_at = now() WHERE id = $1", [slowId]);
    const fastId = await insertShipment(api.database, ownAccount.id, { createdAt: new Date() });
    // The fast change is committed, and the export still ends before the slow one.
    const during = await read("shipments", { since }, ownAccount.token);
    expect(linesOf(during)).toEqual([]);
    await slow.query("COMMIT");
    slow.release();
    await cursorAfterNow();
    const rows = linesOf(await read("shipments", { since: cursorOf(during) }, ownAccount.token));
    expect(rows.map(({ id, tags }) => [id, tags])).toEqual([
      [slowId, ["slow"]],
      [fastId, []],
    ]);
  });

  test("200: follows concurrent writers from cursor to cursor without missing a change", async () => {
    const ownAccount = await api.createAccount();
    const created: string[] = [];
    const write = async () => {
      for (let round = 0; round < 20; round++) created.push(await insertShipment(api.database, ownAccount.id));
    };
    const writing = Promise.all([write(), write(), write()]);
    const exportedIds: unknown[] = [];
    let query: Record<string, string> = {};
    const follow = async () => {
      const response = await read("shipments", query, ownAccount.token);
      query = { since: cursorOf(response) };
      exportedIds.push(...linesOf(response).map(({ id }) => id));
      return exportedIds.length >= 60;
    };
    const following = eventually("all shipments are exported", follow);
    await writing;
    await following;
    expect(exportedIds.toSorted()).toEqual(created.toSorted());
  });

  test("200: reads rows only as fast as the client takes them, and stops when it disconnects", async () => {
    await cursorAfterNow();
    const batches = (statements: string[]) => statements.filter((name) => name === "exports.shipments").length;
    api.takeStatements();
    const request = http.get(`${api.url}/exports/shipments`, { headers: { Authorization: `Token ${large.token}` } });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    await once(response, "readable");
    // Buffers of both sockets hold some batches; the other rows stay in the database.
    const batchCount = await settledCount(() => batches(api.takeStatements()));
    expect(batchCount).toBeLessThan(20);
    request.destroy();
    await api.whenIdle();
    expect(batches(api.takeStatements())).toBeLessThanOrEqual(1);
    const complete = await read("shipments", {}, large.token);
    expect(new Set(linesOf(complete).map(({ id }) => id)).size).toBe(largeShipmentCount);
  });

  test("429: more than three exports of an account at once", async () => {
    await cursorAfterNow();
    const begin = async () => {
      const request = http.get(`${api.url}/exports/shipments`, { headers: { Authorization: `Token ${large.token}` } });
      const [response] = (await once(request, "response")) as [http.IncomingMessage];
      expect(response.statusCode).toBe(200);
      return request;
    };
    const running = [await begin(), await begin(), await begin()];
    const refused = await api.request("/exports/containers", { token: large.token });
    expect([refused.status, refused.headers.get("retry-after"), refused.body.errors[0].code]).toEqual([
      429,
      "10",
      "rate_limited",
    ]);
    expect(refused.body.errors[0].detail).toContain("3 exports and downloads of this account are running");
    expect((await api.request("/exports/containers", { token: account.token })).status).toBe(200);
    running[0]?.destroy();
    await eventually("a slot is free", async () => {
      return (await api.request("/exports/containers", { token: large.token })).status === 200;
    });
    for (const request of running) request.destroy();
    await api.whenIdle();
    // A rejected export takes no slot.
    for (let n = 0; n < 4; n++) {
      expect((await api.request("/exports/shipments?since=abc", { token: large.token })).status).toBe(400);
    }
    await read("containers", {}, large.token);
  });

  test("200: gzip when the client accepts it, which Vary says; HEAD reads no rows", async () => {
    const ownAccount = await api.createAccount();
    await insertMany(ownAccount.id, 3);
    await cursorAfterNow();
    const headers = { "Accept-Encoding": "gzip" };
    const zipped = await api.request("/exports/shipments", { token: ownAccount.token, headers });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(zipped.headers.get("vary")).toBe("Accept, Authorization, Accept-Encoding");
    expect(linesOf(zipped)).toHaveLength(3);
    const plain = await api.request("/exports/shipments", {
      token: ownAccount.token,
      headers: { "Accept-Encoding": "identity" },
    });
    expect(plain.headers.get("content-encoding")).toBeNull();
    api.takeStatements();
    const head = await api.request("/exports/shipments", { method: "HEAD", token: ownAccount.token });
    expect([head.status, head.text, api.takeStatements()]).toEqual([200, "", ["exports.end"]]);
  });

  test.each([
    ["400 for a text that is no cursor", "?since=abc", 400, { parameter: "since" }],
    ["400 for a cursor of another database", `?since=${laterCursor()}`, 400, { parameter: "since" }],
    ["400 for an unknown format", "?format=xlsx", 400, { parameter: "format" }],
    ["406 when neither CSV nor JSON Lines is accepted", "", 406, { header: "Accept" }],
  ])("%s", async (_title, query, status, source) => {
    const headers = status === 406 ? { Accept: "application/pdf" } : {};
    const response = await api.request(`/exports/shipments${query}`, { token: account.token, headers });
    expect([response.status, response.body.errors[0].source]).toEqual([status, source]);
  });

  test("404 for another resource", async () => {
    expect((await api.request("/exports/parties", { token: account.token })).status).toBe(404);
  });
});

function laterCursor(): string {
  return Buffer.from(JSON.stringify(["change", "999999999999"])).toString("base64url");
}

/** The sum once it no longer grows. */
async function settledCount(more: () => number): Promise<number> {
  let sum = more();
  await eventually("no more batches are read", async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const added = more();
    sum += added;
    return added === 0;
  });
  return sum;
}
