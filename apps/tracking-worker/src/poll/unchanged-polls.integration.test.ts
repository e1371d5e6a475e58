import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { CarrierConnection, createCarriers } from "@svc/carriers";
import { dayMs, instant } from "@svc/domain";
import type { SubjectClaim } from "@svc/persistence/tracking";
import { eventually, startServiceProcess } from "@svc/testkit";
import { type DcsaCarrier, startDcsaCarrier, voyage } from "../testing/dcsa-carrier.ts";
import { carrierScac, setUpTracking, type TrackingSetup } from "../testing/tracking-setup.ts";

let line: DcsaCarrier;
let setup: TrackingSetup;
let nowMs = Date.now();

beforeAll(async () => {
  line = await startDcsaCarrier();
  const advance = (ms: number): void => {
    nowMs += ms;
  };
  const clock = { now: () => instant(nowMs), scale: () => 1, advance };
  const connection = { scac: carrierScac, protocol: "dcsa-2.2", baseUrl: line.baseUrl };
  const carriers = () => createCarriers([CarrierConnection.parse(connection)]);
  setup = await setUpTracking({ clock, carriers, terminals: new Map() });
});
beforeEach(async () => {
  nowMs = Date.now();
  await setup.reset();
  await setup.rows("UPDATE tracking_subjects SET next_poll_at = NULL");
});
afterAll(async () => {
  await setup?.close();
  await line?.close();
});

/** Tracked and due, with an unchanged carrier reply. */
async function trackedAndDue(...numbers: readonly string[]): Promise<void> {
  for (const number of numbers) {
    line.answer(number, voyage());
    await setup.request(number);
  }
  await setup.pollDue();
  await setup.rows("UPDATE tracking_subjects SET next_poll_at = $2 WHERE number = ANY($1)", numbers, setup.clock.now());
}

interface SubjectRow {
  readonly number: string;
  readonly written_by: string;
  readonly unchanged_polls: number;
  readonly consecutive_failures: number;
  readonly lease_owner: string | null;
  readonly is_due: boolean;
}

const subjects = (...numbers: readonly string[]): Promise<SubjectRow[]> =>
  setup.rows<SubjectRow>(
    `SELECT number, xmin::text AS written_by, unchanged_polls, consecutive_failures, lease_owner,
       next_poll_at <= $2 AS is_due
     FROM tracking_subjects WHERE number = ANY($1) ORDER BY number`,
    numbers,
    setup.clock.now(),
  );

const settle = (claims: readonly SubjectClaim[]) =>
  Promise.all(claims.map((claim) => setup.poller.unchanged.settle(claim)));

const settledOnce = { unchanged_polls: 1, consecutive_failures: 0, lease_owner: null, is_due: false };

describe("a reply with the bytes of the previous one", () => {
  test("is not parsed: malformed bytes are settled by their hash alone", async () => {
    await trackedAndDue("HASH1");
    const unreadable = "]]not json[[";
    const hash = createHash("sha256").update(unreadable).digest();
    await setup.rows("UPDATE tracking_subjects SET content_hash = $1 WHERE number = 'HASH1'", hash);
    line.answer("HASH1", unreadable);
    await setup.pollDue();
    expect(await subjects("HASH1")).toEqual([expect.objectContaining(settledOnce)]);
    expect(await setup.row("SELECT * FROM tracking_subjects WHERE number = 'HASH1'")).toMatchObject({
      last_attempted_at: setup.clock.now(),
      last_succeeded_at: setup.clock.now(),
      last_found_at: setup.clock.now(),
      not_found_since: null,
      not_found_polls: 0,
      content_hash: hash,
    });
  });

  test("is parsed when the last usable reply had no events", async () => {
    await trackedAndDue("HASH2");
    line.answer("HASH2", []);
    await setup.pollDue();
    await setup.rows("UPDATE tracking_subjects SET next_poll_at = $1 WHERE number = 'HASH2'", setup.clock.now());
    await setup.pollDue();
    expect(await setup.row("SELECT * FROM tracking_subjects WHERE number = 'HASH2'")).toMatchObject({
      not_found_polls: 2,
      unchanged_polls: 1,
    });
  });

  test("stops tracking when a stop rule applies", async () => {
    await trackedAndDue("HASH3");
    setup.clock.advance(60 * dayMs);
    await setup.pollDue();
    expect(
      await setup.row("SELECT line_tracking_stopped_reason AS reason FROM shipments WHERE normalized_number = 'HASH3'"),
    ).toEqual({ reason: "past_arrival_window" });
  });
});

describe("a reply that differs only in the creation times of its events", () => {
  test("stores nothing when the carrier sets eventCreatedDateTime to the time of the reply", async () => {
    const number = "STAMP1";
    const reply = () => voyage().map((event) => ({ ...event, eventCreatedDateTime: setup.clock.now() }));
    line.answer(number, reply());
    await setup.request(number);
    await setup.pollDue();
    const stored = () =>
      setup.row(
        `SELECT (SELECT count(*)::int FROM raw_replies r WHERE r.subject_id = s.id) AS replies,
           (SELECT count(*)::int FROM observations o WHERE o.subject_id = s.id) AS observations,
           (SELECT count(*)::int FROM field_facts f WHERE f.account_id = s.account_id) AS facts
         FROM tracking_subjects s WHERE s.number = $1`,
        number,
      );
    const first = await stored();
    expect(first).toMatchObject({ replies: 1 });
    for (let poll = 1; poll <= 10; poll++) {
      setup.clock.advance(3_600_000);
      line.answer(number, reply());
      await setup.rows("UPDATE tracking_subjects SET next_poll_at = $2 WHERE number = $1", number, setup.clock.now());
      expect(await setup.pollDue()).toBe(1);
    }
    expect(await stored()).toEqual(first);
    expect(await setup.row("SELECT unchanged_polls FROM tracking_subjects WHERE number = $1", number)).toEqual({
      unchanged_polls: 10,
    });
  });
});

describe("polls settled in a batch", () => {
  test("are written in one transaction, without one whose lease was lost", async () => {
    const numbers = Array.from({ length: 9 }, (_, index) => `LOST${index}`);
    await trackedAndDue(...numbers);
    const claims = await setup.claim("old");
    expect(claims).toHaveLength(numbers.length);
    await setup.rows("UPDATE tracking_subjects SET lease_until = now() - interval '1 second' WHERE number = 'LOST4'");
    const [claimed] = await setup.claim("new");
    const [before] = await subjects("LOST4");
    expect(before).toMatchObject({ lease_owner: "new", unchanged_polls: 0 });

    const nextPolls = await settle(claims);
    expect(claims.filter((_, index) => nextPolls[index] === null).map(({ number }) => number)).toEqual(["LOST4"]);
    expect(await subjects("LOST4")).toEqual([before]);
    const others = await subjects(...numbers.filter((number) => number !== "LOST4"));
    expect(others).toEqual(others.map(() => expect.objectContaining(settledOnce)));
    expect(new Set(others.map((one) => one.written_by)).size).toBe(1);

    const stale = claims.find(({ id }) => id === claimed!.id)!;
    expect(await settle([stale, claimed!])).toEqual([null, expect.any(String)]);
    expect(await settle([claimed!, ...claims])).toEqual([claimed!, ...claims].map(() => null));
    expect(await subjects(...numbers)).toEqual(numbers.map(() => expect.objectContaining(settledOnce)));
  });

  test("skip a row that another transaction holds, without waiting", async () => {
    await trackedAndDue("HELD0", "HELD1");
    const claims = await setup.claim();
    await setup.database.transaction(async (sql) => {
      const lockRow = { name: "test.hold", text: "SELECT id FROM tracking_subjects WHERE number = 'HELD0' FOR UPDATE" };
      await sql.rows(lockRow, []);
      const nextPolls = await settle(claims);
      expect(claims.filter((_, index) => nextPolls[index] === null).map(({ number }) => number)).toEqual(["HELD0"]);
    });
  });

  test("lose nothing when the worker is killed between two statements of their transaction", async () => {
    const numbers = Array.from({ length: 8 }, (_, index) => `KILL${index}`);
    await trackedAndDue(...numbers);
    const before = await subjects(...numbers);
    const blocker = await setup.database.pool.connect();
    const requested = () => numbers.reduce((sum, number) => sum + line.requestCount(number), 0);
    const requestedBefore = requested();
    const release = line.hold();
    const worker = await startServiceProcess(fileURLToPath(new URL("../main.ts", import.meta.url)), {
      DATABASE_URL: setup.databaseUrl,
      SVC_CARRIERS: JSON.stringify([{ scac: carrierScac, protocol: "dcsa-2.2", baseUrl: line.baseUrl }]),
      SVC_TRACKING_CARRIER_CONCURRENCY: "8",
      LOG_LEVEL: "warn",
    });
    try {
      await eventually("all are claimed", () => requested() === requestedBefore + numbers.length);
      // The batch has locked its subjects when it reads their shipments, and blocks there.
      await blocker.query("BEGIN; LOCK TABLE shipments IN ACCESS EXCLUSIVE MODE");
      release();
      await eventually("the batch waits", async () => {
        const { count } = await setup.row<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%line_tracking_resumed_at%'`,
        );
        return count > 0;
      });
    } finally {
      release();
      worker.kill("SIGKILL");
      await worker.exited;
      await blocker.query("COMMIT");
      blocker.release();
    }
    await eventually("the server ends the transaction", async () => {
      const open = await setup.rows(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tracking-worker'",
      );
      return open.length === 0;
    });
    const after = await subjects(...numbers);
    const books = ({ number, unchanged_polls, is_due }: SubjectRow) => ({ number, unchanged_polls, is_due });
    expect(after.map(books)).toEqual(before.map(books));
    await setup.rows(
      "UPDATE tracking_subjects SET lease_until = now() - interval '1 second' WHERE lease_until > now()",
    );
    expect(await setup.pollDue()).toBe(numbers.length);
    expect(await subjects(...numbers)).toEqual(numbers.map(() => expect.objectContaining(settledOnce)));
  });
});
