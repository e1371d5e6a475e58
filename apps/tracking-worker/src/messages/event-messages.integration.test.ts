import { beforeEach, describe, expect, test } from "@jest/globals";
import { CarrierConnection, createStoredReplyReader } from "@svc/carriers";
import { dayMs } from "@svc/domain";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { claimSubjects } from "@svc/persistence/tracking";
import { verify } from "@svc/replay";
import { createLogger } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startRetention } from "../retention/start-retention.ts";
import { containerMove, vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { processMessages, pushOf, sendMessage, startMessages, storeMessage } from "../testing/send-message.ts";
import { pollAgain } from "../testing/tracked-number.ts";
import { carrierScac, setUpTracking } from "../testing/tracking-setup.ts";

let accountId: string;
const setup = started(setUpTracking);
beforeEach(async () => {
  await setup.reset();
  accountId = await setup.newAccount();
});

const share = () => processMessages(setup);
const send = (channel: "push" | "import", text: string, form: "json" | "csv" = "json") =>
  sendMessage(setup, { accountId, channel, text, form });
const statusOf = (id: string) => setup.row("SELECT status FROM tracking_requests WHERE id = $1", id);
/** Every stored row of the account's shipments, without times. */
async function readState(): Promise<unknown> {
  const facts = await setup.rows(
    "SELECT field, value, rule FROM field_facts WHERE account_id = $1 AND superseded_at IS NULL ORDER BY field, value::text",
    accountId,
  );
  const events = await setup
    .rows(
      "SELECT event, event_at FROM transport_events WHERE account_id = $1 AND invalidated_at IS NULL ORDER BY event, event_at",
      accountId,
    )
    .catch(() => []);
  return { facts, events };
}

describe("a carrier's push", () => {
  test("creates the shipment with its raw events; repeated events change nothing", async () => {
    const id = await setup.request("PUSH1", { accountId });
    expect(await send("push", pushOf("PUSH1", voyage()))).toMatchObject({
      applied_count: 4,
      unknown_count: 0,
      due_at: null,
    });
    expect(await statusOf(id)).toEqual({ status: "created" });
    const raw = await setup.rows("SELECT channel, http_status FROM raw_replies WHERE account_id = $1", accountId);
    expect(raw).toEqual([{ channel: "push", http_status: null }]);
    const before = await readState();
    const reordered = JSON.stringify((JSON.parse(pushOf("PUSH1", voyage())) as object[]).reverse());
    expect(await send("push", reordered)).toMatchObject({ applied_count: 4 });
    expect(await readState()).toEqual(before);
  });

  test("finds its subject by the number with SCAC prefix, and by a container of the shipment", async () => {
    await setup.request("PUSH2", { accountId });
    await send("push", pushOf(`${carrierScac}PUSH2`, voyage(["MSKU0000011"])));
    const arrival = containerMove("DISC", "MSKU0000011", "NLRTM", "2026-02-01T19:00:00+01:00");
    expect(await send("push", JSON.stringify([arrival]))).toMatchObject({ applied_count: 1, new_fact_count: 1 });
  });

  test("changes nothing and is counted when its number is untracked, is of another account, or it is not a list", async () => {
    const other = await setup.newAccount();
    const id = await setup.request("PUSH3", { accountId: other });
    expect(await send("push", pushOf("PUSH3", voyage()))).toMatchObject({ applied_count: 0, unknown_count: 4 });
    expect(await statusOf(id)).toEqual({ status: "pending" });
    for (const text of ['{"events":3}', "[{", "[[[[", "null", '[null, 7, {"eventType": "WEATHER"}]']) {
      const row = await send("push", text);
      expect(row).toMatchObject({ applied_count: 0, due_at: null });
      expect(row.skipped_count).toBeGreaterThan(0);
    }
  });

  test("withdraws no event that it lacks", async () => {
    setup.line.answer("PUSH4", voyage());
    await setup.request("PUSH4", { accountId });
    await setup.pollDue();
    await send("push", pushOf("PUSH4", [vesselMove("ARRI", "NLRTM", "2026-02-02T06:00:00+01:00", "EST")]));
    const missing =
      "SELECT count(*)::int AS count FROM observations WHERE account_id = $1 AND missing_since IS NOT NULL";
    expect(await setup.row(missing, accountId)).toEqual({ count: 0 });
  });

  test("waits for a subject that a worker has claimed, and is taken over from a worker that died", async () => {
    const id = await setup.request("PUSH5", { accountId });
    const { subject } = await setup.row<{ subject: string }>(
      "SELECT subject_id AS subject FROM tracking_requests WHERE id = $1",
      id,
    );
    await claimSubjects(setup.database.sql, accountId, [subject], { owner: "dying", leaseMs: 300 });
    expect(await send("push", pushOf("PUSH5", voyage()))).toMatchObject({ applied_count: 4 });
    await setup.rows("UPDATE event_messages SET due_at = now() WHERE account_id = $1", accountId);
    await share();
    const counts = "SELECT count(*)::int AS count FROM raw_replies WHERE account_id = $1";
    expect(await statusOf(id)).toEqual({ status: "created" });
    expect((await setup.row<{ count: number }>(counts, accountId)).count).toBeGreaterThanOrEqual(1);
    const facts = "SELECT count(*)::int AS count FROM observations WHERE account_id = $1";
    expect(await setup.row(facts, accountId)).toEqual({ count: 4 });
  });
});

describe("an import", () => {
  const csv = [
    "scac,number,event_code,classifier,event_time,container_number,locode,mode,vessel_imo,vessel_name,voyage,empty,equipment_type",
    "ZIMU,ZIMUIMP1,LOAD,ACT,2026-01-05T08:00:00+08:00,MSKU0000006,CNSHA,VESSEL,9321483,EMMA,021E,LADEN,45G1",
    'ZIMU,ZIMUIMP1,DEPA,ACT,2026-01-06T10:00:00+08:00,,CNSHA,VESSEL,9321483,"EMMA",021E,,',
    "ZIMU,ZIMUIMP1,ARRI,EST,2026-02-01T06:00:00+01:00,,NLRTM,VESSEL,9321483,EMMA,021E,,",
    "ZIMU,ZIMUIMP1,DISC,PLN,2026-02-01T18:00:00+01:00,MSKU0000006,NLRTM,VESSEL,9321483,EMMA,021E,LADEN,45G1",
  ].join("\r\n");

  test("tracks a carrier without a connection", async () => {
    const id = await setup.request("IMP1", { accountId, scac: "ZIMU" });
    await setup.pollDue();
    expect(await statusOf(id)).toEqual({ status: "pending" });
    expect(await send("import", csv, "csv")).toMatchObject({ event_count: 4, applied_count: 4, new_fact_count: 4 });
    expect(await statusOf(id)).toEqual({ status: "created" });
    const shipment = await setup.row<Record<string, unknown>>(
      "SELECT * FROM shipments WHERE account_id = $1",
      accountId,
    );
    expect(shipment.pod_eta_at).toBe("2026-02-01T05:00:00.000Z");
  });

  test("is not withdrawn by a carrier reply that lacks it", async () => {
    setup.line.answer("IMP2", voyage());
    await setup.request("IMP2", { accountId });
    await setup.pollDue();
    const row =
      "scac,number,event_code,classifier,event_time,container_number\nMAEU,IMP2,INSP,ACT,2026-01-09T08:00:00Z,MSKU0000006";
    await send("import", row, "csv");
    for (let polls = 0; polls < 3; polls++) {
      setup.clock.advance(3_600_000);
      setup.line.answer("IMP2", voyage());
      await pollAgain(setup, "IMP2");
    }
    const facts = "SELECT count(*)::int AS count FROM observations WHERE account_id = $1 AND fact->>'code' = 'INSP'";
    expect(await setup.row(facts, accountId)).toEqual({ count: 1 });
  });
});

test("the state from pushes, polls and imports follows from the stored replies", async () => {
  setup.line.answer("TRUE1", voyage());
  await setup.request("TRUE1", { accountId });
  await send("push", pushOf("TRUE1", voyage(["MSKU0000006", "MSKU0000011"])));
  await setup.pollDue();
  await send(
    "import",
    "scac,number,event_code,classifier,event_time,container_number\nMAEU,TRUE1,INSP,ACT,2026-01-09T08:00:00Z,MSKU0000006",
    "csv",
  );
  for (let polls = 0; polls < 3; polls++) {
    setup.clock.advance(3_600_000);
    await pollAgain(setup, "TRUE1");
  }
  const connection = CarrierConnection.parse({
    scac: carrierScac,
    protocol: "dcsa-2.2",
    baseUrl: "http://127.0.0.1:9",
  });
  const places = await loadPlaceDirectory(setup.database.sql);
  const read = createStoredReplyReader([connection], places);
  const differences: unknown[] = [];
  const total = await verify(setup.database, { subject: "TRUE1" }, { read, places }, (one) => differences.push(one));
  expect(differences).toEqual([]);
  expect(total).toMatchObject({ shipments: 1, notReadAgain: 0 });
  expect(total.observations).toBeGreaterThan(6);
});

describe("events of a number whose tracking ended", () => {
  const csv =
    "scac,number,event_code,classifier,event_time,container_number\nMAEU,DEAD1,INSP,ACT,2026-01-09T08:00:00Z,MSKU0000006";
  const observations = async () =>
    (await setup.rows("SELECT id FROM observations WHERE account_id = $1 AND fact->>'code' = 'INSP'", accountId))
      .length;

  test("are reported by row, and applied when the file is imported again after tracking is resumed", async () => {
    setup.line.answer("DEAD1", voyage());
    await setup.request("DEAD1", { accountId });
    await setup.pollDue();
    await setup.rows(
      "UPDATE shipments SET line_tracking_stopped_at = now(), line_tracking_stopped_reason = 'cancelled_by_user' WHERE account_id = $1",
      accountId,
    );
    const first = await send("import", csv, "csv");
    expect(first).toMatchObject({ applied_count: 0, inactive_count: 1, unknown_count: 0, unapplied_rows: [1] });
    expect(await observations()).toBe(0);
    await setup.rows(
      "UPDATE shipments SET line_tracking_stopped_at = NULL, line_tracking_stopped_reason = NULL WHERE account_id = $1",
      accountId,
    );
    const second = await send("import", csv, "csv");
    expect(second).toMatchObject({
      id: first.id,
      applied_count: 1,
      inactive_count: 0,
      new_fact_count: 1,
      unapplied_rows: [],
    });
    expect(await observations()).toBe(1);
  });

  test("are applied to the shipment of their request when another number tracks it", async () => {
    setup.line.answer("DEAD2", voyage());
    const id = await setup.request("DEAD2", { accountId });
    await setup.pollDue();
    setup.line.answer("DEAD2B", voyage());
    await setup.request("DEAD2B", { accountId });
    await setup.rows(
      `UPDATE shipments s SET subject_id =
         (SELECT id FROM tracking_subjects WHERE account_id = $1 AND number = 'DEAD2B')
       FROM tracking_requests r WHERE r.id = $2 AND s.account_id = $1 AND s.id = r.shipment_id`,
      accountId,
      id,
    );
    const text = csv.replace("DEAD1", "DEAD2");
    expect(await send("import", text, "csv")).toMatchObject({ applied_count: 1, new_fact_count: 1 });
  });
});

describe("the claim of a message", () => {
  test("is renewed while the message waits for a subject, so it is processed once", async () => {
    const id = await setup.request("LEASE1", { accountId });
    const { subject } = await setup.row<{ subject: string }>(
      "SELECT subject_id AS subject FROM tracking_requests WHERE id = $1",
      id,
    );
    await claimSubjects(setup.database.sql, accountId, [subject], { owner: "slow poll", leaseMs: 2_500 });
    const message = await storeMessage(setup, { accountId, channel: "push", text: pushOf("LEASE1", voyage()) });
    const workers = [1, 2].map((n) => startMessages(setup, { owner: `worker ${n}`, messageLeaseMs: 600 }));
    const waking = setInterval(() => workers.forEach((worker) => void worker.wake()), 100);
    const row = () =>
      setup.row<{ attempts: number; due_at: string | null; applied_count: number }>(
        "SELECT attempts, due_at, applied_count FROM event_messages WHERE id = $1",
        message,
      );
    await eventually("it is processed", async () => (await row()).due_at === null);
    clearInterval(waking);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(await row()).toMatchObject({ attempts: 1, applied_count: 4 });
  });
});

describe("messages that were processed long ago", () => {
  const left = async () =>
    (await setup.rows<{ id: string }>("SELECT id FROM event_messages WHERE account_id = $1", accountId)).map(
      ({ id }) => id,
    );

  test("are deleted, their events stay, and unprocessed messages are kept", async () => {
    await setup.request("OLD1", { accountId });
    await send("push", pushOf("OLD1", voyage()));
    const before = await readState();
    const waiting = await send(
      "push",
      pushOf("OLD1", [vesselMove("ARRI", "NLRTM", "2026-02-02T06:00:00+01:00", "EST")]),
    );
    // The message has had so many attempts that later ones overtake it.
    await setup.rows(
      "UPDATE event_messages SET due_at = now() + interval '1 day', attempts = 5 WHERE id = $1",
      waiting.id,
    );
    const known = await readState();
    expect(known).not.toEqual(before);
    setup.clock.advance(30 * dayMs);
    const fresh = await send("push", pushOf("OLD1", [vesselMove("ARRI", "NLRTM", "2026-02-03T06:00:00+01:00", "EST")]));
    const now = await readState();
    const logger = createLogger({ service: "test", level: "silent" });
    const options = { sql: setup.database.sql, clock: setup.clock, logger, everyMs: 10 };
    const days = (retentionDays: number) => ({ retentionDays, auditRetentionDays: 400, positionRetentionDays: 400 });
    const none = startRetention({ ...options, ...days(31) });
    await none.stop();
    expect(await left()).toHaveLength(3);
    const retention = startRetention({ ...options, ...days(29) });
    await eventually("the old one is gone", async () => (await left()).length === 2);
    await retention.stop();
    expect((await left()).toSorted()).toEqual([waiting.id, fresh.id].map(String).toSorted());
    expect(await readState()).toEqual(now);
  });
});
