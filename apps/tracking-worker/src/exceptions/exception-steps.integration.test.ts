import { beforeEach, describe, expect, test } from "@jest/globals";
import { addMs, dayMs, type Instant } from "@svc/domain";
import { createExceptionRepository } from "@svc/persistence/exceptions";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createExceptionHarness } from "../testing/exception-harness.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";
import { checkExceptions } from "./check-exceptions.ts";

const setup = started(setUpTracking);
const harness = started(() => createExceptionHarness(setup));
beforeEach(() => setup.reset());

const ownerId = "0198f000-0000-7000-8000-000000000001";
const otherId = "0198f000-0000-7000-8000-000000000002";

interface Step {
  readonly id: string;
  readonly kind: string;
  readonly owner: string | null;
  readonly note: string | null;
  readonly resolution: string | null;
  readonly isSnoozed: boolean;
}

/** The exceptions that are a step of a case, the earliest first. */
const stepsOf = (accountId: string) =>
  setup.rows<Step>(
    `SELECT id, kind, owner_user_id AS owner, note, resolution, snoozed_until IS NOT NULL AS "isSnoozed"
     FROM exceptions
     WHERE account_id = $1 AND (kind LIKE 'last_%' OR kind LIKE 'late_%' OR kind LIKE 'tracking_request_%')
     ORDER BY opened_at, ended_at, priority DESC`,
    accountId,
  );

const setLastFreeDay = (containerId: string, day: Instant) =>
  harness.setContainer(containerId, `pickup_lfd_terminal = '${day}', pickup_lfd = '${day}'`);

/** Tracks a container whose last free day is so many days ahead, and checks it. */
async function trackWithLastFreeDay(number: string, days: number) {
  const tracked = await harness.trackVoyage(number);
  await setLastFreeDay(tracked.containerId, addMs(setup.clock.now(), days * dayMs));
  await harness.check(tracked.accountId);
  return tracked;
}

async function edit(accountId: string, change: { ownerUserId?: string; note?: string; snoozedUntil?: Instant }) {
  const open = (await stepsOf(accountId)).find(({ resolution }) => resolution === null);
  await setup.database.transaction(async (sql) => {
    const exceptions = createExceptionRepository(sql);
    const present = await exceptions.lock(accountId, open?.id ?? "");
    if (present) await exceptions.edit(accountId, present, change, setup.clock.now());
  });
}

async function nextDay(accountId: string) {
  setup.clock.advance(dayMs);
  return harness.check(accountId);
}

describe("the next step of a case", () => {
  test("keeps the owner and the note, and not the snooze, until the last free day is over", async () => {
    const { accountId } = await trackWithLastFreeDay("STEP1", 1);
    const snoozedUntil = addMs(setup.clock.now(), 9 * dayMs);
    await edit(accountId, { ownerUserId: ownerId, note: "Truck booked", snoozedUntil });
    expect(await nextDay(accountId)).toMatchObject({ opened: 1, resolved: 0 });
    expect(await nextDay(accountId)).toMatchObject({ opened: 1, resolved: 0 });
    const retained = { owner: ownerId, note: "Truck booked" };
    const expected = [
      { kind: "last_free_day_soon", ...retained, resolution: "superseded", isSnoozed: true },
      { kind: "last_free_day_today", ...retained, resolution: "superseded", isSnoozed: false },
      { kind: "last_free_day_over", ...retained, resolution: null, isSnoozed: false },
    ];
    expect(await stepsOf(accountId)).toMatchObject(expected);
    await setup.rows("UPDATE exception_checks SET due_at = '-infinity' WHERE account_id = $1", accountId);
    const again = Array.from({ length: 3 }, () => checkExceptions(setup.context, accountId, harness.onFailure));
    for (const changes of await Promise.all(again)) expect(changes).toMatchObject({ opened: 0, resolved: 0 });
    expect(await stepsOf(accountId)).toMatchObject(expected);
  });

  test("keeps them when the last free day is extended", async () => {
    const { accountId, containerId } = await trackWithLastFreeDay("STEP2", -1);
    await edit(accountId, { ownerUserId: ownerId });
    await setLastFreeDay(containerId, addMs(setup.clock.now(), 2 * dayMs));
    await harness.check(accountId);
    expect(await stepsOf(accountId)).toMatchObject([
      { kind: "last_free_day_over", owner: ownerId, resolution: "superseded" },
      { kind: "last_free_day_soon", owner: ownerId, resolution: null },
    ]);
  });

  test("replaces late_appointment by last_free_day_over, with the owner and the note of both", async () => {
    const { accountId, containerId } = await trackWithLastFreeDay("STEP7", 0);
    await edit(accountId, { ownerUserId: ownerId });
    await harness.setContainer(containerId, `pickup_appointment_at = '${addMs(setup.clock.now(), 2 * dayMs)}'`);
    await harness.check(accountId);
    await setup.rows(
      "UPDATE exceptions SET note = 'Truck on Friday', owner_user_id = $2 WHERE account_id = $1 AND kind LIKE 'late_%'",
      accountId,
      otherId,
    );
    await nextDay(accountId);
    expect(await stepsOf(accountId)).toMatchObject([
      { kind: "last_free_day_today", resolution: "superseded" },
      { kind: "late_appointment", resolution: "superseded" },
      { kind: "last_free_day_over", owner: ownerId, note: "Truck on Friday", resolution: null },
    ]);
  });

  test("follows a delay from the shipment to its container that arrives separately, and back", async () => {
    const { accountId, containerId } = await harness.trackVoyage("STEP8");
    const arrival = addMs(setup.clock.now(), 20 * dayMs);
    const change = `pod_eta_at = '${arrival}', pod_original_eta_at = '${addMs(arrival, -4 * dayMs)}'`;
    await setup.rows(`UPDATE shipments SET ${change} WHERE account_id = $1`, accountId);
    await harness.check(accountId);
    await setup.rows(
      "UPDATE exceptions SET owner_user_id = $2, note = 'Customer informed' WHERE account_id = $1 AND kind = 'eta_delay'",
      accountId,
      ownerId,
    );
    setup.clock.advance(1_000);
    await harness.setContainer(containerId, change);
    expect(await harness.check(accountId)).toMatchObject({ opened: 1, resolved: 0 });
    setup.clock.advance(1_000);
    await harness.setContainer(containerId, "pod_eta_at = NULL, pod_original_eta_at = NULL");
    expect(await harness.check(accountId)).toMatchObject({ opened: 1, resolved: 0 });
    const retained = { owner: ownerId, note: "Customer informed" };
    const delays = await setup.rows(
      `SELECT owner_user_id AS owner, note, resolution, container_id AS "containerId" FROM exceptions
       WHERE account_id = $1 AND kind = 'eta_delay' ORDER BY opened_at, ended_at`,
      accountId,
    );
    expect(delays).toEqual([
      { ...retained, containerId: null, resolution: "superseded" },
      { ...retained, containerId, resolution: "superseded" },
      { ...retained, containerId: null, resolution: null },
    ]);
  });

  test("opens after a member has resolved the step before it", async () => {
    const { accountId } = await trackWithLastFreeDay("STEP3", 0);
    await edit(accountId, { ownerUserId: ownerId });
    await setup.rows(
      "UPDATE exceptions SET resolved_at = $2, resolution = 'by_member' WHERE account_id = $1 AND kind LIKE 'last%'",
      accountId,
      setup.clock.now(),
    );
    await nextDay(accountId);
    expect(await stepsOf(accountId)).toMatchObject([
      { kind: "last_free_day_today", resolution: "by_member" },
      { kind: "last_free_day_over", owner: ownerId, resolution: null },
    ]);
  });

  test("opens tracking_request_failed after tracking_request_waiting", async () => {
    const accountId = await setup.newAccount();
    setup.line.answer("STEP4", []);
    const requestId = await setup.request("STEP4", { accountId });
    await nextDay(accountId);
    await edit(accountId, { note: "Typing error?" });
    await setup.rows(
      "UPDATE tracking_requests SET status = 'failed', failed_reason = 'not_found' WHERE id = $1",
      requestId,
    );
    expect(await harness.check(accountId)).toEqual({ opened: 1, resolved: 0 });
    expect(await stepsOf(accountId)).toMatchObject([
      { kind: "tracking_request_waiting", resolution: "superseded" },
      { kind: "tracking_request_failed", note: "Typing error?", resolution: null },
    ]);
  });

  test("has the edit of a member that commits while it opens", async () => {
    const { accountId } = await trackWithLastFreeDay("STEP5", 0);
    await edit(accountId, { ownerUserId: ownerId });
    setup.clock.advance(dayMs);
    const client = await setup.database.pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("SELECT FROM exceptions WHERE account_id = $1 FOR NO KEY UPDATE", [accountId]);
      const checking = harness.check(accountId);
      await eventually("the check waits for the edit", async () => {
        const waiting = await setup.rows(
          "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%exceptions x SET ended_at%'",
        );
        return waiting.length > 0;
      });
      await client.query("UPDATE exceptions SET owner_user_id = $2, note = 'Mine' WHERE account_id = $1", [
        accountId,
        otherId,
      ]);
      await client.query("COMMIT");
      await checking;
    } finally {
      client.release();
    }
    expect((await stepsOf(accountId)).at(-1)).toMatchObject({
      kind: "last_free_day_over",
      owner: otherId,
      note: "Mine",
    });
  });

  test("is notified with the end of the step before it, whose resolution says why", async () => {
    const { accountId } = await trackWithLastFreeDay("STEP6", 0);
    await setup.subscribe(["exception.*"], accountId);
    await nextDay(accountId);
    const sent = await setup.rows<{ event: string; included: string }>(
      "SELECT event, included FROM notification_events WHERE account_id = $1 AND event LIKE 'exception.%' ORDER BY id",
      accountId,
    );
    const summaries = sent.map(({ event, included }) => {
      const { kind, resolution } = JSON.parse(included)[0].attributes;
      return [event, kind, resolution];
    });
    expect(summaries).toEqual([
      ["exception.opened", "last_free_day_over", null],
      ["exception.resolved", "last_free_day_today", "superseded"],
    ]);
  });
});
