import { describe, expect, test } from "@jest/globals";
import { catalogue } from "@svc/carriers/catalogue";
import { sandboxCertificate } from "@svc/carriers/sandbox-certificate";
import { instant } from "@svc/domain";
import { CarrierConnectionResource, CarrierResource } from "@svc/jsonapi/carrier-connections";
import { documentSchema } from "@svc/jsonapi/documents";
import { uuidV7 } from "@svc/persistence";
import {
  applyConnectionChanges,
  claimConnectionTests,
  finishConnectionTest,
} from "@svc/persistence/carrier-connections";
import { eventually, expiredCertificate } from "@svc/testkit";
import { started, startedEach } from "@svc/testkit/started";
import { startTestApi, type TestResponse } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const account = startedEach(() => api.createAccount());

const apiKey = { kind: "api_key", headers: [{ name: "Consumer-Key", value: "s3cret-key" }] };
const send = (method: string, path: string, attributes?: object, headers: Record<string, string> = {}) =>
  api.request(`/carrier_connections${path}`, {
    method,
    token: account.token,
    headers,
    ...(attributes && { body: { data: { type: "carrier_connection", attributes } } }),
  });
const connect = (scac = "HLCU", credentials: object = apiKey) => send("POST", "", { scac, credentials });

async function subject(scac: string, nextPollAt: Date | null): Promise<string> {
  const id = uuidV7.next();
  await api.database.pool.query(
    `INSERT INTO tracking_subjects (id, account_id, scac, kind, number, next_poll_at, created_at)
     VALUES ($1, $2, $3, 'bill_of_lading', $1::uuid::text, $4, now())`,
    [id, account.id, scac, nextPollAt],
  );
  return id;
}
const subjectRow = async (id: string) =>
  (await api.database.pool.query("SELECT connection_id, next_poll_at FROM tracking_subjects WHERE id = $1", [id]))
    .rows[0];

test("201: the connection in one statement, its credentials sealed and never shown", async () => {
  await connect("MAEU");
  api.takeStatements();
  const { status, headers, body, text } = await connect();
  expect(api.takeStatements()).toEqual(["carrier-connections.insert"]);
  expect([status, documentSchema(CarrierConnectionResource.strict()).safeParse(body).error]).toEqual([201, undefined]);
  expect(headers.get("location")).toBe(body.data.links.self);
  expect(body.data.attributes).toMatchObject({ scac: "HLCU", status: "untested", active: true, is_paused: false });
  expect(Buffer.from(body.data.attributes.push_secret, "base64")).toHaveLength(48);
  expect(text).not.toContain("s3cret");
  const row = await api.database.prisma.carrierConnection.findFirstOrThrow({ where: { id: body.data.id } });
  expect(row.sealedCredentials.toString()).not.toContain("s3cret");
  const read = await send("GET", `/${body.data.id}`);
  expect(read.body.data).toEqual(body.data);
  expect((await send("GET", "")).body.data[0]).toEqual(body.data);
});

test("polls present and later numbers of the carrier with the new connection", async () => {
  const later = new Date("2026-12-01T00:00:00Z");
  const [tracked, stopped, otherAccountSubject] = [
    await subject("HLCU", later),
    await subject("HLCU", null),
    await subject("MAEU", later),
  ];
  const { id } = (await connect()).body.data;
  expect(await subjectRow(tracked)).toEqual({ connection_id: null, next_poll_at: "2026-12-01T00:00:00.000Z" });
  await followChanges();
  expect(await subjectRow(tracked)).toEqual({ connection_id: id, next_poll_at: "2026-11-21T10:00:00.000Z" });
  expect((await subjectRow(stopped)).next_poll_at).toBeNull();
  expect(await subjectRow(otherAccountSubject)).toEqual({
    connection_id: null,
    next_poll_at: "2026-12-01T00:00:00.000Z",
  });
  expect((await subjectRow(await subject("HLCU", later))).connection_id).toBe(id);
  await send("PATCH", `/${id}`, { active: false });
  await followChanges();
  expect((await subjectRow(tracked)).connection_id).toBeNull();
  await send("PATCH", `/${id}`, { active: true });
  await followChanges();
  expect((await subjectRow(tracked)).connection_id).toBe(id);
  expect((await send("DELETE", `/${id}`)).status).toBe(200);
  await followChanges();
  expect((await subjectRow(tracked)).connection_id).toBeNull();
  expect((await send("GET", `/${id}`)).status).toBe(404);
});

test("a change rewrites no subject within the request; they follow in batches, a sample at once and the others spread out", async () => {
  const { id } = (await connect()).body.data;
  await followChanges();
  await api.database.pool.query(
    `INSERT INTO tracking_subjects (id, account_id, scac, kind, number, next_poll_at, created_at)
     SELECT uuidv7(), $1, 'HLCU', 'bill_of_lading', 'MANY' || n, '2026-12-01', now() FROM generate_series(1, 1200) n`,
    [account.id],
  );
  const rows = async () =>
    (
      await api.database.pool.query<{ xmin: string; at: string }>(
        "SELECT xmin::text, next_poll_at AS at FROM tracking_subjects WHERE account_id = $1 ORDER BY kind, number",
        [account.id],
      )
    ).rows;
  const before = await rows();
  await send("PATCH", `/${id}`, { credentials: { kind: "basic", username: "a", password: "b" } });
  expect(await rows()).toEqual(before);
  await followChanges();
  const after = (await rows()).map(({ at }) => new Date(at).getTime() - Date.parse("2026-11-21T10:00:00.000Z"));
  expect(after.filter((ms) => ms === 0)).toHaveLength(20);
  expect(Math.max(...after)).toBeLessThanOrEqual(600_000);
  const minutes = Array.from(
    { length: 10 },
    (_, minute) => after.filter((ms) => Math.floor(ms / 60_000) === minute).length,
  );
  expect(Math.max(...minutes)).toBeLessThan(200);
});

/** Applies the changes of carrier connections, as the tracking worker does before it claims. */
async function followChanges(): Promise<void> {
  const options = {
    now: instant("2026-11-21T10:00:00Z"),
    batchSize: 500,
    sampleSize: 20,
    spreadMs: 600_000,
    terminalPlaces: () => [],
    brands: new Map(),
  };
  while (await api.database.transaction((sql) => applyConnectionChanges(sql, options)));
}

test("a stopped subject stays stopped", async () => {
  const stopped = await subject("HLCU", null);
  await connect();
  await followChanges();
  expect((await subjectRow(stopped)).next_poll_at).toBeNull();
});

test("shows the state that the worker observed, and resets failures with new credentials", async () => {
  const { id } = (await connect()).body.data;
  await api.database.pool.query(
    `INSERT INTO carrier_access (credential, account_id, consecutive_failures, openings, open_until, day, day_count,
       answer_count, rejection_count, last_success_at, last_error_at, last_error)
     VALUES ($1, $2, 1, 1, now() + interval '1 minute', date_trunc('day', now(), 'UTC'), 7, 3, 1,
       '2026-11-21T08:00:00Z', '2026-11-21T09:00:00Z', 'rejected')`,
    [id, account.id],
  );
  expect((await send("GET", `/${id}`)).body.data.attributes).toMatchObject({
    status: "rejected",
    is_paused: true,
    requests_today: 7,
    answers_count: 3,
    rejections_count: 1,
    last_error: "rejected",
    last_failed_at: "2026-11-21T09:00:00.000Z",
  });
  const edited = await send("PATCH", `/${id}`, { credentials: { kind: "basic", username: "a", password: "b" } });
  expect(edited.body.data.attributes.credential_kind).toBe("basic");
  const row = await api.database.prisma.carrierAccess.findUniqueOrThrow({ where: { credential: id } });
  expect(row).toMatchObject({ openUntil: null, consecutiveFailures: 0, dayCount: 7 });
});

test("422 for a second connection, an unknown carrier and malformed credentials, without repeating them", async () => {
  await connect();
  const pointers = async (response: ReturnType<typeof connect>) => {
    const { status, body, text } = await response;
    expect(text).not.toContain("s3cret");
    return [status, ...body.errors.map((error: { source: { pointer: string } }) => error.source.pointer)];
  };
  expect(await pointers(connect())).toEqual([422, "/data/attributes/scac"]);
  expect(await pointers(connect("ZZZZ"))).toEqual([422, "/data/attributes/scac"]);
  expect((await pointers(connect("MAEU", { kind: "api_key", headers: [{ name: "Host", value: "s3cret" }] })))[0]).toBe(
    422,
  );
  expect((await pointers(connect("MAEU", { kind: "basic", username: "s3cret" })))[0]).toBe(422);
  expect((await pointers(connect("MAEU", { kind: "basic", username: "a\r\nb", password: "s3cret" })))[0]).toBe(422);
});

test("404 of another account; 412 for an old version; 403 with a token that may only read", async () => {
  const created = await connect();
  const { id } = created.body.data;
  const otherToken = (await api.createAccount()).token;
  for (const method of ["GET", "DELETE"]) {
    expect((await api.request(`/carrier_connections/${id}`, { method, token: otherToken })).status).toBe(404);
  }
  const etag = (await send("PATCH", `/${id}`, { active: false })).headers.get("etag") ?? "";
  await send("PATCH", `/${id}`, { active: true });
  expect((await send("PATCH", `/${id}`, { active: false }, { "If-Match": etag })).status).toBe(412);
  expect((await send("DELETE", `/${id}`, undefined, { "If-Match": etag })).status).toBe(412);
  expect(
    (await api.request("/carrier_connections", { method: "POST", token: account.readToken, body: {} })).status,
  ).toBe(403);
});

test("GET /carriers lists the catalogue by name, with credential fields and how this account is connected", async () => {
  const read = async (token: string) => (await api.request("/carriers", { token })).body.data as CarrierResource[];
  const before = await read(account.token);
  const names = catalogue.map(({ name }) => name);
  expect(before.map(({ attributes }) => attributes.name)).toEqual(names.sort((a, b) => a.localeCompare(b, "en")));
  for (const carrier of before) expect(CarrierResource.safeParse(carrier).error).toBeUndefined();
  const maersk = (list: readonly CarrierResource[]) => list.find(({ id }) => id === "MAEU")?.attributes;
  expect(maersk(before)).toMatchObject({
    connection: "none",
    connection_id: null,
    connection_status: null,
    has_address: true,
  });
  expect(maersk(before)?.credential_choices[0]?.fields.map(({ name }) => name)).toEqual([
    "client_id",
    "client_secret",
    "headers.Consumer-Key",
  ]);
  expect(before.find(({ id }) => id === "EGLV")?.attributes.has_address).toBe(false);

  const { id } = (await connect("MAEU")).body.data;
  const own = { connection: "account", connection_id: id, connection_status: "untested" };
  expect(maersk(await read(account.token))).toMatchObject(own);
  const other = await api.createAccount();
  expect(maersk(await read(other.token))).toMatchObject({ connection: "none", connection_id: null });
  await send("PATCH", `/${id}`, { active: false });
  const inactive = { connection: "none", connection_id: id, connection_status: "inactive" };
  expect(maersk(await read(account.token))).toMatchObject(inactive);
});

test("stores a certificate with its key, and rejects a text that is not a certificate with an RSA key", async () => {
  const { certificate, privateKey: private_key } = sandboxCertificate;
  const client = { kind: "oauth2_private_key_jwt", client_id: "me", tenant: "our-tenant", scope: "api://x/.default" };
  const refused = async (changes: object) => {
    const { status, body } = await connect("MSCU", { ...client, certificate, private_key, ...changes });
    return [status, body.errors[0].source.pointer, body.errors[0].detail];
  };
  const pointer = "/data/attributes/credentials";
  expect(await refused({ private_key: expiredCertificate.key })).toEqual([
    422,
    `${pointer}/private_key`,
    "private_key must be an RSA key of 2048 to 8192 bits.",
  ]);
  expect((await refused({ certificate: "no PEM" })).slice(0, 2)).toEqual([422, `${pointer}/certificate`]);
  expect((await refused({ tenant: "../other" })).slice(0, 2)).toEqual([422, `${pointer}/tenant`]);
  const created = await connect("MSCU", { ...client, certificate, private_key });
  expect([created.status, created.body.data.attributes.credential_kind]).toEqual([201, "oauth2_private_key_jwt"]);
  expect(created.text).not.toContain("PRIVATE KEY");
});

describe("POST /carrier_connections/{id}/test", () => {
  const outcome = {
    testedAt: instant("2026-11-21T10:00:00.000Z"),
    code: "credentials_rejected",
    explanation: "The credentials are wrong.",
    httpStatus: 401,
    durationMs: 12,
  } as const;
  const claim = async () => {
    const [claimed] = await claimConnectionTests(api.database.sql, { limit: 1, leaseMs: 60_000 });
    if (claimed === undefined) throw new Error("No test is requested.");
    return claimed;
  };
  /** Completes a requested test, as the tracking worker does. */
  const work = async () => finishConnectionTest(api.database.sql, await claim(), outcome);

  test("202 while no worker has made the call; two requests make one call; the outcome is read afterwards", async () => {
    const { id } = (await connect()).body.data;
    expect((await send("GET", `/${id}`)).body.data.attributes).toMatchObject({
      is_test_running: false,
      last_test: null,
    });
    const requested = await Promise.all([send("POST", `/${id}/test`), send("POST", `/${id}/test`)]);
    expect(requested.map(({ status }) => status)).toEqual([202, 202]);
    expect(requested[0]?.body.data.attributes).toMatchObject({ is_test_running: true, last_test: null });
    await work();
    expect(await claimConnectionTests(api.database.sql, { limit: 1, leaseMs: 60_000 })).toEqual([]);
    const { body } = await send("GET", `/${id}`);
    expect(documentSchema(CarrierConnectionResource.strict()).safeParse(body).error).toBeUndefined();
    expect(body.data.attributes).toMatchObject({
      is_test_running: false,
      last_test: { succeeded: false, code: "credentials_rejected", http_status: 401, tested_at: outcome.testedAt },
    });
  });

  /** A connection in another process of the API, which has accounts of its own. */
  async function inAnother(
    options: Parameters<typeof startTestApi>[0],
    use: (request: () => Promise<TestResponse>) => Promise<void>,
  ) {
    const other = await startTestApi({ databaseUrl: api.databaseUrl, ...options });
    try {
      const attributes = { scac: "HLCU", credentials: apiKey };
      const body = { data: { type: "carrier_connection", attributes } };
      const { id } = (await other.request("/carrier_connections", { method: "POST", body })).body.data;
      await use(() => other.request(`/carrier_connections/${id}/test`, { method: "POST" }));
      await api.database.pool.query("UPDATE carrier_connections SET test_requested_at = NULL");
    } finally {
      await other.close();
    }
  }

  test("200 with the outcome as soon as the worker has stored it", async () => {
    await inAnother({ carrierTestWaitMs: 20_000 }, async (request) => {
      const response = request();
      await eventually("the test is requested", () => work());
      const { status, body } = await response;
      expect([status, body.data.attributes.last_test.code]).toEqual([200, "credentials_rejected"]);
    });
  });

  test("new credentials discard the outcome and the running test of the old ones", async () => {
    const { id } = (await connect()).body.data;
    await send("POST", `/${id}/test`);
    const old = await claim();
    const edited = await send("PATCH", `/${id}`, { credentials: { kind: "basic", username: "a", password: "b" } });
    expect(edited.body.data.attributes).toMatchObject({ is_test_running: false, last_test: null });
    await send("POST", `/${id}/test`);
    expect(await finishConnectionTest(api.database.sql, old, outcome)).toBe(false);
    expect((await send("GET", `/${id}`)).body.data.attributes).toMatchObject({
      is_test_running: true,
      last_test: null,
    });
    await work();
    const paused = (await send("PATCH", `/${id}`, { active: false })).body.data.attributes;
    expect([paused.active, paused.last_test.code]).toEqual([false, "credentials_rejected"]);
  });

  test("a test of a worker that died is claimed again after its lease, and not before", async () => {
    const { id } = (await connect()).body.data;
    await send("POST", `/${id}/test`);
    await claim();
    expect(await claimConnectionTests(api.database.sql, { limit: 1, leaseMs: 60_000 })).toEqual([]);
    await api.database.pool.query("UPDATE carrier_connections SET test_claimed_until = now() - interval '1 second'");
    expect((await claim()).id).toBe(id);
    await api.database.pool.query("UPDATE carrier_connections SET test_requested_at = NULL");
  });

  test("404 for another account, which requests nothing; 403 for a token that may only read", async () => {
    const { id } = (await connect()).body.data;
    const otherToken = (await api.createAccount()).token;
    const path = `/carrier_connections/${id}/test`;
    expect((await api.request(path, { method: "POST", token: otherToken })).status).toBe(404);
    expect((await api.request(path, { method: "POST", token: account.readToken })).status).toBe(403);
    expect(await claimConnectionTests(api.database.sql, { limit: 1, leaseMs: 60_000 })).toEqual([]);
  });

  test("429 beyond the limit of the account", async () => {
    await inAnother({ limits: { carrier_test: 1 } }, async (request) => {
      expect([(await request()).status, (await request()).status]).toEqual([202, 429]);
    });
  });
});
