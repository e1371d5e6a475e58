import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { CarrierConnection, createCarriers } from "@svc/carriers";
import { addMs, instant, minuteMs } from "@svc/domain";
import { suspendAccount } from "@svc/persistence/administration";
import { claimCarrierChecks } from "@svc/persistence/carrier-connections";
import { createLogger } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { type DcsaCarrier, startDcsaCarrier, voyage } from "../testing/dcsa-carrier.ts";
import { carrierScac, setUpTracking, type TrackingSetup } from "../testing/tracking-setup.ts";
import { checkCarrier } from "./start-carrier-checks.ts";

const otherScac = "HLCU";
const tokenScac = "ZIMU";
const unreachableScac = "EGLV";

let line: DcsaCarrier;
let setup: TrackingSetup;
let tokens: Server;
let tokenStatus = 200;
let nowMs = Date.UTC(2026, 0, 10);

beforeAll(async () => {
  line = await startDcsaCarrier();
  tokens = createServer((request, response) => {
    response.writeHead(tokenStatus, { "content-type": "application/json" });
    response.end(request.method === "POST" ? JSON.stringify({ access_token: "t", expires_in: 1 }) : "");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => tokens.once("listening", resolve));
  const tokenUrl = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`;
  const credentials = { kind: "oauth2_client_credentials", clientId: "c", clientSecret: "s", headers: {} } as const;
  const [common, baseUrl] = [{ protocol: "dcsa-2.2" }, line.baseUrl] as const;
  const connections = [
    { ...common, scac: carrierScac, baseUrl },
    { ...common, scac: otherScac, baseUrl },
    { ...common, scac: tokenScac, baseUrl, tokenUrl, credentials },
    // A name that never resolves (RFC 2606).
    { ...common, scac: unreachableScac, baseUrl: "http://carrier.invalid" },
  ].map((each) => CarrierConnection.parse(each));
  const clock = {
    now: () => instant(nowMs),
    scale: () => 1,
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
  setup = await setUpTracking({ clock, carriers: () => createCarriers(connections), terminals: new Map() });
});
beforeEach(() => setup.reset());
afterAll(async () => {
  await setup?.close();
  await line?.close();
  await new Promise((resolve) => tokens.close(resolve));
});

const accessOf = (scac: string) => setup.row("SELECT * FROM carrier_access WHERE credential = $1", scac);
const requestOf = (id: string) =>
  setup.row("SELECT status, is_retrying, retry_count FROM tracking_requests WHERE id = $1", id);
const nextPollOf = async (number: string) =>
  (await setup.row<{ next: string }>("SELECT next_poll_at AS next FROM tracking_subjects WHERE number = $1", number))
    .next;

/** Makes the checks of every carrier that is unreachable, as if they were due. @returns their SCACs. */
async function checkNow(): Promise<string[]> {
  // The column has milliseconds, to which the present time can be rounded up.
  await setup.rows(
    "UPDATE carrier_access SET next_check_at = now() - interval '1 second' WHERE next_check_at IS NOT NULL",
  );
  const claims = await claimCarrierChecks(setup.database.sql, 60_000);
  const checker = { ...setup.poller, logger: createLogger({ service: "test", level: "silent" }) };
  for (const claim of claims) await checkCarrier(checker, claim, new AbortController().signal);
  return claims.map(({ scac }) => scac);
}

describe("a carrier that did not answer", () => {
  test("is polled as soon as it responds to a check, also for a single number, which counts one attempt", async () => {
    line.answer("ALONE1", { status: 503 });
    const id = await setup.request("ALONE1");
    await setup.pollDue();
    expect(await requestOf(id)).toEqual({ status: "pending", is_retrying: true, retry_count: 1 });
    expect(await setup.pollDue()).toBe(0);
    expect(await checkNow()).toEqual([carrierScac]);
    // Its own failure, at a carrier that answers: brought forward once, and then by its own schedule.
    expect(await setup.pollDue()).toBe(1);
    expect(await requestOf(id)).toEqual({ status: "pending", is_retrying: true, retry_count: 1 });
    expect(await nextPollOf("ALONE1")).toBe(addMs(setup.clock.now(), 12 * minuteMs));
    expect(await checkNow()).toEqual([carrierScac]);
    expect(await setup.pollDue()).toBe(0);
    expect(await checkNow()).toEqual([]);
    setup.clock.advance(12 * minuteMs);
    await setup.pollDue();
    expect(await requestOf(id)).toEqual({ status: "pending", is_retrying: true, retry_count: 2 });
    line.answer("ALONE1", voyage());
    await checkNow();
    await setup.pollDue();
    expect(await requestOf(id)).toMatchObject({ status: "created" });
  });

  test("is polled once after each check while its breaker is open, and every waiting number follows the response", async () => {
    const numbers = ["OPEN1", "OPEN2", "OPEN3", "OPEN4", "OPEN5", "OPEN6"];
    for (const number of numbers) line.answer(number, { status: 503 });
    const ids = [];
    for (const number of numbers) ids.push(await setup.request(number, { scac: otherScac }));
    await setup.pollDue();
    const requestCount = () => numbers.reduce((sum, number) => sum + line.requestCount(number), 0);
    const before = requestCount();
    for (let round = 1; round <= 3; round++) {
      expect(await checkNow()).toEqual([otherScac]);
      await setup.pollDue();
      expect(requestCount()).toBe(before + round);
    }
    for (const id of ids) expect(await requestOf(id)).toMatchObject({ retry_count: 1 });
    for (const number of numbers) line.answer(number, voyage());
    await checkNow();
    await setup.pollDue();
    await setup.pollDue();
    for (const id of ids) expect(await requestOf(id)).toMatchObject({ status: "created" });
    expect(await accessOf(otherScac)).toMatchObject({ open_until: null, next_check_at: null, away_since: null });
  });

  test("is polled for every failed subject once it responds, even with 401 or 429", async () => {
    const numbers = ["BACK1", "BACK2", "BACK3", "BACK4", "BACK5"];
    for (const number of numbers) line.answer(number, { status: 503 });
    const ids = [];
    for (const number of numbers) ids.push(await setup.request(number, { scac: otherScac }));
    await setup.pollDue();
    for (const status of [429, 401]) {
      for (const number of numbers) line.answer(number, { status });
      await checkNow();
      await setup.pollDue();
      await setup.rows("UPDATE carrier_access SET paused_until = now(), probe_until = NULL");
    }
    for (const number of numbers) line.answer(number, voyage());
    // The breaker permits a probe, and no check is made.
    expect(await checkNow()).toEqual([]);
    await setup.request("BACK6", { scac: otherScac });
    line.answer("BACK6", voyage());
    setup.clock.advance(2 * minuteMs);
    setup.poller.slots.open(otherScac);
    await setup.pollDue();
    await setup.pollDue();
    await setup.pollDue();
    for (const id of ids) expect(await requestOf(id)).toMatchObject({ status: "created" });
  });

  test("is polled at once when it recovers before the failed poll is stored", async () => {
    line.answer("RACE1", { status: 503 });
    const id = await setup.request("RACE1");
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const occupied = Array.from({ length: 4 }, () => setup.poller.transactions.run(() => finished));
    const polled = setup.pollDue();
    await eventually("the failure is reported", async () => {
      const [access] = await setup.rows<{ away_since: unknown }>("SELECT away_since FROM carrier_access");
      return access !== undefined && access.away_since !== null;
    });
    line.answer("RACE1", voyage());
    expect(await checkNow()).toEqual([carrierScac]);
    finish();
    await Promise.all([polled, ...occupied]);
    expect(await requestOf(id)).toEqual({ status: "pending", is_retrying: true, retry_count: 1 });
    expect(await nextPollOf("RACE1")).toBe(setup.clock.now());
    expect(await setup.pollDue()).toBe(1);
    expect(await requestOf(id)).toMatchObject({ status: "created" });
  });

  test("is polled when its token endpoint, which had failed, responds", async () => {
    tokenStatus = 503;
    line.answer("TOKEN1", voyage());
    const id = await setup.request("TOKEN1", { scac: tokenScac });
    await setup.pollDue();
    expect(await checkNow()).toEqual([tokenScac]);
    expect(await setup.pollDue()).toBe(0);
    expect(await accessOf(tokenScac)).toMatchObject({ failed_checks: 1, day_count: 1 });
    tokenStatus = 200;
    await checkNow();
    await setup.pollDue();
    expect(await requestOf(id)).toMatchObject({ status: "created" });
  });

  test("is not polled while its name does not resolve, which uses no budget", async () => {
    await setup.request("NAME1", { scac: unreachableScac });
    await setup.pollDue();
    for (let round = 0; round < 3; round++) {
      expect(await checkNow()).toEqual([unreachableScac]);
      expect(await setup.pollDue()).toBe(0);
    }
    expect(await accessOf(unreachableScac)).toMatchObject({ failed_checks: 3, day_count: 1 });
  });

  test("is checked by one of several workers, once for all of its credentials", async () => {
    line.answer("MANY1", { status: 503 });
    await setup.request("MANY1");
    await setup.pollDue();
    const account = await setup.newAccount();
    const id = "0190a000-0000-7000-8000-00000000c001";
    await setup.rows(
      `INSERT INTO carrier_connections (account_id, id, scac, credential_kind, sealed_credentials, sealed_push_secret,
         created_at, updated_at) VALUES ($1, $2, $3, 'api_key', '', '', now(), now())`,
      account,
      id,
      carrierScac,
    );
    const later = "now() + interval '10 seconds'";
    await setup.rows(
      `INSERT INTO carrier_access (credential, account_id, away_since, next_check_at)
       VALUES ('${id}', $1, now(), ${later})`,
      account,
    );
    await setup.rows("UPDATE carrier_access SET next_check_at = now() WHERE credential = $1", carrierScac);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimCarrierChecks(setup.database.sql, 60_000)));
    expect(claims.flat().map(({ scac, credentials }) => [scac, credentials.length])).toEqual([[carrierScac, 2]]);
    await setup.rows("DELETE FROM carrier_connections WHERE id = $1", id);
  });

  test("is not polled for a suspended account", async () => {
    const accountId = await setup.newAccount();
    line.answer("AWAY1", { status: 503 });
    await setup.request("AWAY1", { accountId });
    await setup.pollDue();
    await suspendAccount(setup.database, accountId);
    const before = await nextPollOf("AWAY1");
    await checkNow();
    expect(await nextPollOf("AWAY1")).toBe(before);
  });

  test("is probed again soon after the worker of a probe has died", async () => {
    // No poll before: the gate would trust for a second that the carrier answers.
    await setup.rows(
      `INSERT INTO carrier_access (credential, open_until, probe_until)
      VALUES ($1, $2, now() + interval '15 seconds')`,
      carrierScac,
      setup.clock.now(),
    );
    const connected = await setup.poller.directory.find({
      id: "",
      accountId: setup.accountId,
      scac: carrierScac,
      connection: null,
      kind: "bill_of_lading",
      number: "",
      places: null,
      transportDocument: null,
      nextPollAt: null,
      fencing: 0,
      contentHash: null,
    });
    if (connected === null) throw new Error("The carrier is not configured.");
    expect(await setup.poller.access.permit(connected)).toBeNull();
    await setup.rows(
      "UPDATE carrier_access SET probe_until = now() - interval '1 second' WHERE credential = $1",
      carrierScac,
    );
    expect(await setup.poller.access.permit(connected)).toBe(0);
    const { ms } = await setup.row<{ ms: number }>(
      "SELECT extract(epoch FROM probe_until - now())::float * 1000 AS ms FROM carrier_access WHERE credential = $1",
      carrierScac,
    );
    expect(ms).toBeLessThanOrEqual(15_000);
    setup.poller.access.ended(connected);
  });
});
