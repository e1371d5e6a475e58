import { createServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { CarrierConnection, createCarriers } from "@svc/carriers";
import { withCatalogueEntry } from "@svc/carriers/catalogue";
import { type ConnectionTest, failuresUntilOpen } from "@svc/domain/carrier-connections";
import { freePort } from "@svc/local-stores";
import { createSecretBox, uuidV7 } from "@svc/persistence";
import { createCarrierConnectionRepository } from "@svc/persistence/carrier-connections";
import { createLogger } from "@svc/service-kit";
import {
  eventually,
  expiredCertificate,
  type FakeCarrier,
  type FakeCarrierBehaviour,
  startFakeCarrier,
} from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { CarrierDirectory } from "../carriers/carrier-directory.ts";
import { secretKey, setUpTracking } from "../testing/tracking-setup.ts";
import { startConnectionTests } from "./start-connection-tests.ts";

const right = { kind: "oauth2_client_credentials", clientId: "id", clientSecret: "s3cret-right", scope: null } as const;
const headers = { "Consumer-Key": "k3y-right" };
const key = { kind: "api_key", headers: { "X-IBM-Client-Id": "id", "X-IBM-Client-Secret": "s3cret" } } as const;

let line: FakeCarrier;
let logged: string[];
let worker: ReturnType<typeof startConnectionTests> | undefined;
const setup = started(setUpTracking);
beforeEach(async () => {
  await setup.reset();
  logged = [];
  line = await startFakeCarrier({ headers, client: { id: "id", secret: "s3cret-right" } });
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await line.close();
});

const repository = () => createCarrierConnectionRepository(setup.database.sql, createSecretBox(secretKey));

/** Starts the tests of a worker whose carriers are at these addresses. */
function startWorker(connections: readonly Readonly<Record<string, unknown>>[]): void {
  const list = connections.map((connection) => CarrierConnection.parse(withCatalogueEntry(connection)));
  const logger = createLogger({ service: "test", destination: { write: (text) => logged.push(text) } });
  const carriers = createCarriers(list);
  const { database } = setup;
  const directory = new CarrierDirectory(carriers, new Map(), database.sql, createSecretBox(secretKey));
  const started = startConnectionTests({ context: setup.context, directory, access: setup.poller.access, logger });
  worker = {
    wake: started.wake,
    async stop() {
      await started.stop();
      await Promise.all([...carriers.values()].map((carrier) => carrier.close()));
    },
  };
}

type Credentials = Parameters<ReturnType<typeof repository>["create"]>[1]["credentials"];

async function connect(credentials: Credentials, scac = "MAEU"): Promise<{ accountId: string; id: string }> {
  const accountId = await setup.newAccount();
  const connection = { id: uuidV7.next(), scac, credentials, active: true, pushSecret: "p" };
  await repository().create(accountId, connection, setup.clock.now());
  return { accountId, id: connection.id };
}

/** Requests a test and waits for its outcome. */
async function testOf({ accountId, id }: { accountId: string; id: string }): Promise<ConnectionTest> {
  await repository().requestTest(accountId, id);
  worker?.wake();
  const tested = await eventually("the test has ended", async () => {
    const connection = await repository().find(accountId, id);
    return connection?.isTestRunning === false && connection;
  });
  if (tested.lastTest === null) throw new Error("The connection has no outcome.");
  return tested.lastTest;
}

const maersk = (rest: object = {}) => ({
  catalogue: "MAEU",
  baseUrl: line.origin,
  tokenUrl: `${line.origin}/token`,
  timeoutMs: 10_000,
  ...rest,
});

describe("a test call explains in the terms of the carrier", () => {
  test("an unknown container as a success of the credentials, which closes the circuit breaker", async () => {
    startWorker([maersk()]);
    const connection = await connect({ ...right, headers });
    await setup.rows(
      `INSERT INTO carrier_access (credential, account_id, consecutive_failures, openings, open_until)
       VALUES ($1, $2, $3, 1, $4::timestamptz + interval '1 day')`,
      connection.id,
      connection.accountId,
      failuresUntilOpen,
      setup.clock.now(),
    );
    const outcome = await testOf(connection);
    expect(outcome).toMatchObject({ code: "accepted", httpStatus: 404 });
    expect(outcome.explanation).toBe(
      "Maersk accepted the credentials. It does not know the test container CSQU3054383 (status 404), as expected. " +
        "Maersk answers 404 when the shipment is unknown, and also when your Maersk Customer Code is no party to it.",
    );
    expect(line.requests()).toEqual(["/token", "/events"]);
    const access = await setup.row<{ open_until: unknown; day_count: number }>(
      "SELECT open_until, day_count, last_success_at FROM carrier_access WHERE credential = $1",
      connection.id,
    );
    expect(setup.poller.slots.free().get(connection.id)).not.toBe(0);
    expect(access).toMatchObject({ open_until: null, day_count: 2, last_success_at: setup.clock.now() });
  });

  test.each([
    [
      "a wrong secret",
      { ...right, clientSecret: "s3cret-wrong", headers },
      /^The credentials are wrong: the token endpoint of Maersk \(127\.0\.0\.1:\d+\) rejected the Consumer key or the Client secret \(status 401\)\. Maersk approves each app by hand.* Client secret \(developer portal, My apps\)/,
    ],
    [
      "a wrong key",
      { ...right, headers: { "Consumer-Key": "k3y-wrong" } },
      /^The credentials are wrong: the API of Maersk .*ERR_GW_001/,
    ],
  ] as const)("%s, and neither answer nor log contains it", async (_name, credentials, explanation) => {
    startWorker([maersk()]);
    const connection = await connect(credentials);
    const outcome = await testOf(connection);
    expect(outcome).toMatchObject({ code: "credentials_rejected", httpStatus: 401 });
    expect(outcome.explanation).toMatch(explanation);
    expect(logged.join("")).toContain("connection_test.finished");
    expect(JSON.stringify(outcome) + logged.join("")).not.toMatch(/s3cret|k3y/);
    const status = await repository().find(connection.accountId, connection.id);
    expect(status?.health).toMatchObject({ lastError: "rejected", rejections: 1 });
  });

  test.each<[FakeCarrierBehaviour, string, RegExp]>([
    ["token_redirects", "redirected", /^The token endpoint of Maersk .* redirect \(status 302\)/],
    ["token_page", "not_json", /^The token endpoint of Maersk .* web page/],
    ["web_page", "not_json", /^The API of Maersk .* web page instead of JSON \(status 200\)/],
    ["web_page_not_found", "not_json", /web page instead of JSON \(status 404\)/],
    ["error_in_success", "error_in_response", /error inside a successful response/],
    ["other_json", "unreadable_response", /not with a list of DCSA events/],
    ["forbidden", "credentials_rejected", /recognized the credentials but does not allow/],
    ["rate_limited", "rate_limited", /^Maersk limits the rate .* Test again in 2 minutes\./],
    ["failing", "carrier_error", /failure of its own \(status 503\)/],
    ["silent", "timed_out", /did not answer in time/],
  ])("%s as %s", async (behaviour, code, explanation) => {
    line.behave(behaviour);
    startWorker([maersk({ timeoutMs: behaviour === "silent" ? 500 : 10_000 })]);
    const outcome = await testOf(await connect({ ...right, headers }));
    expect([outcome.code, outcome.explanation]).toEqual([code, expect.stringMatching(explanation)]);
  });

  test("a clock that is hours behind that of the carrier, with rejected credentials only", async () => {
    line.behave("clock_ahead");
    startWorker([maersk()]);
    const rejected = await testOf(await connect({ ...right, clientSecret: "s3cret-wrong", headers }));
    expect(rejected.explanation).toMatch(/ The clock of the tracking worker is 3 hours behind that of this server: /);
    expect((await testOf(await connect({ ...right, headers }))).explanation).not.toMatch(/clock/);
  });

  test("a host without address, a refused connection and one that breaks off", async () => {
    const breaking = createServer((socket) => void socket.once("data", () => socket.destroy()));
    await new Promise<void>((resolve) => breaking.listen(0, "127.0.0.1", resolve));
    const address = breaking.address() as { port: number };
    startWorker([
      { catalogue: "HLCU", baseUrl: "http://line.invalid" },
      { catalogue: "MAEU", baseUrl: `http://127.0.0.1:${await freePort()}` },
      { catalogue: "CMDU", baseUrl: `http://127.0.0.1:${address.port}` },
    ]);
    const codes = [];
    for (const scac of ["HLCU", "MAEU", "CMDU"]) codes.push((await testOf(await connect(key, scac))).code);
    expect(codes).toEqual(["name_not_resolved", "connection_refused", "connection_failed"]);
    await new Promise((resolve) => breaking.close(resolve));
  });

  test("an expired certificate, of an authority that is trusted", async () => {
    const secure = await startFakeCarrier({ tls: expiredCertificate });
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, expiredCertificate.cert]);
    try {
      startWorker([{ catalogue: "HLCU", baseUrl: secure.origin }]);
      const outcome = await testOf(await connect(key, "HLCU"));
      expect(outcome).toMatchObject({ code: "certificate_invalid", httpStatus: null });
      expect(outcome.explanation).toMatch(/^The TLS certificate of the API of Hapag-Lloyd .* expired/);
      expect(secure.requests()).toEqual([]);
    } finally {
      setDefaultCACertificates(trusted);
      await secure.close();
    }
  });

  test("a carrier without an address of its own", async () => {
    startWorker([]);
    const outcome = await testOf(await connect({ ...right, headers: {} }, "EGLV"));
    expect([outcome.code, outcome.explanation]).toEqual([
      "not_offered",
      expect.stringMatching(/Evergreen.*SVC_CARRIERS/),
    ]);
  });
});

describe("a test call respects what the carrier allows", () => {
  test("no request while the carrier's pause lasts, nor beyond the day's budget", async () => {
    line.behave("rate_limited");
    startWorker([maersk({ limits: { perDay: 3 } })]);
    const connection = await connect({ ...right, headers });
    expect((await testOf(connection)).code).toBe("rate_limited");
    const paused = await testOf(connection);
    expect([paused.code, paused.explanation]).toEqual([
      "paused",
      expect.stringMatching(/Test again in [12] minutes\.$/),
    ]);
    await setup.rows("UPDATE carrier_access SET paused_until = NULL WHERE credential = $1", connection.id);
    line.behave("usual");
    expect((await testOf(connection)).code).toBe("accepted");
    const spent = await testOf(connection);
    expect([spent.code, spent.explanation]).toEqual([
      "budget_spent",
      expect.stringMatching(/used up\. Test again in \d+ /),
    ]);
    expect(line.requests()).toHaveLength(4);
  });
});

test("a worker that stops releases its test, and another one makes it", async () => {
  line.behave("silent");
  startWorker([maersk()]);
  const { accountId, id } = await connect({ ...right, headers });
  await repository().requestTest(accountId, id);
  worker?.wake();
  await eventually("the line is called", () => line.requests().length > 0);
  await worker?.stop();
  const row = await setup.row("SELECT test_claimed_until FROM carrier_connections WHERE id = $1", id);
  expect(row).toEqual({ test_claimed_until: null });
  line.behave("usual");
  startWorker([maersk()]);
  expect((await testOf({ accountId, id })).code).toBe("accepted");
});
