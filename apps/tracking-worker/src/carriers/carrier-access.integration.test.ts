import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { CarrierReply } from "@svc/carriers";
import { hourMs, minuteMs } from "@svc/domain";
import { type CarrierLimits, unlimited } from "@svc/domain/carrier-connections";
import { createSecretBox, uuidV7 } from "@svc/persistence";
import { createLogger } from "@svc/service-kit";
import { Registry } from "prom-client";
import { createMetrics } from "../metrics.ts";
import { voyage } from "../testing/dcsa-carrier.ts";
import { carrierScac, secretKey, setUpTracking, type TrackingSetup } from "../testing/tracking-setup.ts";
import { CarrierAccessGate } from "./carrier-access-gate.ts";
import type { ConnectedCarrier } from "./carrier-directory.ts";
import { CarrierSlots } from "./carrier-slots.ts";

let setup: TrackingSetup;
const gates: CarrierAccessGate[] = [];
beforeAll(async () => {
  setup = await setUpTracking();
});
beforeEach(() => setup.reset());
afterAll(async () => {
  await Promise.all(gates.map((gate) => gate.close()));
  await setup.close();
});

/** The gate of another process. */
function anotherWorker() {
  const slots = new CarrierSlots(4, () => performance.now(), setup.clock.now);
  const metrics = createMetrics(new Registry(), () => 0);
  const logger = createLogger({ service: "test", level: "silent" });
  const { database, clock } = setup;
  const gate = new CarrierAccessGate({ database, clock, slots, metrics, logger, random: () => 0 });
  gates.push(gate);
  return { gate, slots, metrics };
}

const connected = (limits: Partial<CarrierLimits> = {}): ConnectedCarrier => ({
  scac: carrierScac,
  credential: carrierScac,
  accountId: null,
  carrier: null,
  limits: { ...unlimited, ...limits },
  isRemote: true,
});
const down: CarrierReply = { outcome: "unreachable", detail: "status 503" };
const reply: CarrierReply = {
  outcome: "not_found",
  body: new Uint8Array(),
  url: "https://line.test",
  httpStatus: 404,
};
const rejected: CarrierReply = { ...reply, outcome: "rejected", reason: "invalid_number", httpStatus: 400 };
const accessRow = (credential = carrierScac) =>
  setup.row("SELECT * FROM carrier_access WHERE credential = $1", credential);

/** Stores a connection of an account, as the API does. */
async function connect(accountId: string, headers: Record<string, string>): Promise<string> {
  const id = uuidV7.next();
  const sealed = createSecretBox(secretKey).seal(JSON.stringify({ kind: "api_key", headers }));
  await setup.rows(
    `INSERT INTO carrier_connections (account_id, id, scac, credential_kind, sealed_credentials,
       sealed_push_secret, created_at, updated_at)
     VALUES ($1, $2, $3, 'api_key', $4, '', $5, $5)`,
    accountId,
    id,
    carrierScac,
    sealed,
    setup.clock.now(),
  );
  return id;
}

describe("a budget", () => {
  test("is shared by all workers, and a restarted worker continues the count of the day", async () => {
    const accountId = await setup.newAccount();
    const limits = { ...connected({ perDay: 25 }), credential: uuidV7.next(), accountId };
    const workers = [anotherWorker().gate, anotherWorker().gate, anotherWorker().gate];
    const granted = await Promise.all(Array.from({ length: 40 }, (_, index) => workers[index % 3]!.permit(limits)));
    expect(granted.filter((inMs) => inMs !== null)).toHaveLength(25);
    expect(await anotherWorker().gate.permit(limits)).toBeNull();
    expect(await accessRow(limits.credential)).toMatchObject({ day_count: 25 });
  });

  test("that accounts share releases a quarter of the day at once and the rest over the day", async () => {
    const { gate } = anotherWorker();
    const granted = await Promise.all(Array.from({ length: 6_100 }, () => gate.permit(connected({ perDay: 6_000 }))));
    const { count, day } = await setup.row<{ count: number; day: number }>(
      "SELECT day_count AS count, extract(epoch FROM now() - day)::float / 86400 AS day FROM carrier_access WHERE credential = $1",
      carrierScac,
    );
    expect(granted.filter((inMs) => inMs !== null)).toHaveLength(count);
    expect(Math.abs(count - 6_000 * (0.25 + 0.75 * day))).toBeLessThanOrEqual(3);
  });

  test("spaces the requests of all workers, and returns the time of the next one", async () => {
    const limits = connected({ perMinute: 4 });
    const [one, other] = [anotherWorker(), anotherWorker()];
    const granted = await Promise.all([one, other, one, other].map(({ gate }) => gate.permit(limits)));
    expect(granted.filter((inMs) => inMs !== null)).toEqual([0]);
    expect(one.slots.free().get(carrierScac)).toBe(0);
    expect(one.slots.nextOpeningInMs()).toBeGreaterThan(5_000);
    expect(one.slots.nextOpeningInMs()).toBeLessThanOrEqual(14_000);
  });
});

describe("the circuit breaker", () => {
  test("opened by one worker is open for all, and one probe closes it", async () => {
    const [one, other] = [anotherWorker(), anotherWorker()];
    for (let count = 0; count < 5; count++) {
      expect(await (count % 2 ? one : other).gate.permit(connected())).toBe(0);
      await (count % 2 ? one : other).gate.report(connected(), down);
    }
    expect(await anotherWorker().gate.permit(connected())).toBeNull();
    expect(await accessRow()).toMatchObject({ consecutive_failures: 5, openings: 1, last_error: "unreachable" });
    setup.clock.advance(minuteMs);
    expect(await one.gate.permit(connected())).toBe(0);
    expect(await other.gate.permit(connected())).toBeNull();
    // The others retry soon after the probe, not when the lease of its worker expires.
    expect(other.slots.nextOpeningInMs()).toBeLessThanOrEqual(1_000);
    await one.gate.report(connected(), reply);
    expect(await anotherWorker().gate.permit(connected())).toBe(0);
    const changes = await one.metrics.breakerChanges.get();
    expect(changes.values.map(({ labels, value }) => [labels.to, value])).toEqual([["closed", 1]]);
  });

  test.each<[string, CarrierReply]>([
    ["a query without a request", { ...reply, requests: 0 }],
    ["no arrival notice", { ...reply, isOfArrivalNotices: true }],
    ["a number that arrival notices reject", { ...rejected, isOfArrivalNotices: true }],
    ["arrival notices", { ...reply, outcome: "found", drafts: [], skipped: 2, isOfArrivalNotices: true }],
  ])("is not changed by %s, which leaves the probe to another request", async (_what, apart) => {
    const { gate } = anotherWorker();
    for (let count = 0; count < 4; count++) await gate.report(connected(), down);
    await gate.report(connected(), apart);
    await gate.flush();
    const skipped = apart.outcome === "found" ? 2 : 0;
    const counts = { answer_count: 0, last_success_at: null, skipped_event_count: skipped };
    expect(await accessRow()).toMatchObject({ consecutive_failures: 4, open_until: null, ...counts });
    await gate.report(connected(), down);
    setup.clock.advance(minuteMs);
    const [probe, next] = [connected(), connected()];
    expect(await gate.permit(probe)).toBe(0);
    expect(await gate.permit(next)).toBeNull();
    await gate.report(probe, apart);
    gate.ended(probe);
    expect(await accessRow()).toMatchObject({ consecutive_failures: 5, openings: 1, probe_until: null });
    expect(await gate.permit(next)).toBe(0);
    expect(await gate.permit(probe)).toBeNull();
  });

  test("makes subjects wait without using up a retry", async () => {
    for (const number of ["WAIT1", "WAIT2", "WAIT3", "WAIT4", "WAIT5"]) {
      setup.line.answer(number, { status: 503 });
      await setup.request(number);
    }
    await setup.pollDue();
    const late = await setup.request("WAIT6");
    setup.line.answer("WAIT6", voyage());
    await setup.pollDue();
    expect(setup.line.requestCount("WAIT6")).toBe(0);
    const request = await setup.row("SELECT * FROM tracking_requests WHERE id = $1", late);
    expect(request).toMatchObject({ status: "pending", is_retrying: false, retry_count: 0 });
    setup.clock.advance(minuteMs);
    await setup.pollDue();
    setup.clock.advance(hourMs);
    await setup.pollDue();
    const created = await setup.row("SELECT * FROM tracking_requests WHERE id = $1", late);
    expect(created).toMatchObject({ status: "created" });
  });
});

describe("an account's own connection", () => {
  test("polls with its credentials, is counted separately, and its rejection stops no other connection", async () => {
    const [ownAccountId, otherAccountId] = [await setup.newAccount(), await setup.newAccount()];
    const connectionId = await connect(ownAccountId, { "Consumer-Key": "mine" });
    setup.line.expectKey("mine");
    setup.line.answer("OWN1", voyage());
    const [own, shared] = [
      await setup.request("OWN1", { accountId: ownAccountId }),
      await setup.request("OWN1", { accountId: otherAccountId }),
    ];
    await setup.pollDue();
    const status = async (id: string) => setup.row("SELECT status FROM tracking_requests WHERE id = $1", id);
    expect([await status(own), await status(shared)]).toEqual([{ status: "created" }, { status: "pending" }]);
    await setup.poller.access.flush();
    expect(await accessRow(connectionId)).toMatchObject({
      account_id: ownAccountId,
      answer_count: 1,
      open_until: null,
    });
    expect(await accessRow()).toMatchObject({ account_id: null, rejection_count: 1, last_error: "rejected" });
    setup.line.expectKey(null);
  });

  test("changed credentials are used by the next request", async () => {
    const account = await setup.newAccount();
    const connectionId = await connect(account, { "Consumer-Key": "old" });
    setup.line.answer("NEW1", voyage());
    setup.line.expectKey("new");
    const id = await setup.request("NEW1", { accountId: account });
    await setup.pollDue();
    expect(await setup.row("SELECT failed_reason FROM tracking_requests WHERE id = $1", id)).toEqual({
      failed_reason: "data_unavailable",
    });
    const sealed = createSecretBox(secretKey).seal(
      JSON.stringify({ kind: "api_key", headers: { "Consumer-Key": "new" } }),
    );
    await setup.rows(
      "UPDATE carrier_connections SET sealed_credentials = $2, row_version = 2 WHERE id = $1",
      connectionId,
      sealed,
    );
    setup.clock.advance(hourMs);
    await setup.pollDue();
    expect(await setup.row("SELECT status FROM tracking_requests WHERE id = $1", id)).toEqual({ status: "created" });
    setup.line.expectKey(null);
  });
});
