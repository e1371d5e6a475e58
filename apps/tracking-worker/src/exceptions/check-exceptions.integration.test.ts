import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { addMs, dayMs, hourMs } from "@svc/domain";
import { findAccountsWithDueChecks } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import { vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { pollAgain, track } from "../testing/tracked-number.ts";
import { setUpTracking, type TrackingSetup } from "../testing/tracking-setup.ts";
import { checkExceptions } from "./check-exceptions.ts";

let setup: TrackingSetup;
beforeAll(async () => {
  setup = await setUpTracking();
});
beforeEach(() => setup.reset());
afterAll(() => setup.close());

const firstAccount = "00000000-0000-0000-0000-000000000000";

/** Subjects whose check failed. */
const failed: string[] = [];
const onFailure = (_error: unknown, subjectId: string): void => void failed.push(subjectId);

/** Everything that is due, as the worker does it. */
async function check(accountId: string) {
  let sum = { opened: 0, resolved: 0 };
  for (;;) {
    const { checked, opened, resolved } = await checkExceptions(setup.context, accountId, onFailure);
    sum = { opened: sum.opened + opened, resolved: sum.resolved + resolved };
    if (checked === 0) return sum;
  }
}

interface Row {
  readonly kind: string;
  readonly details: { readonly days?: number };
  readonly resolution: string | null;
}
const exceptionsOf = (accountId: string) =>
  setup.rows<Row>(
    "SELECT kind, details, resolution FROM exceptions WHERE account_id = $1 ORDER BY opened_at, priority DESC",
    accountId,
  );
const dueAccounts = () =>
  findAccountsWithDueChecks(setup.database.sql, { now: setup.clock.now(), afterAccount: firstAccount, limit: 1000 });

async function trackVoyage(number: string) {
  setup.line.answer(number, voyage());
  const tracked = await track(setup, number);
  await check(tracked.accountId);
  const { id: containerId } = await setup.row<{ id: string }>(
    "SELECT id FROM containers WHERE account_id = $1",
    tracked.accountId,
  );
  return { ...tracked, containerId };
}

const setContainer = (id: string, change: string) => setup.rows(`UPDATE containers SET ${change} WHERE id = $1`, id);
const hold = `holds_at_pod_terminal = '[{"name": "customs", "status": "hold"}]'`;

describe("when facts change", () => {
  test("a reply with a later estimate opens one exception, and an earlier one resolves it", async () => {
    const { accountId } = await trackVoyage("EXC1");
    const before = await exceptionsOf(accountId);
    setup.clock.advance(hourMs);
    setup.line.answer("EXC1", [...voyage(), vesselMove("ARRI", "NLRTM", "2026-02-12T06:00:00+01:00", "EST")]);
    await pollAgain(setup, "EXC1");
    expect(await dueAccounts()).toContain(accountId);
    expect(await check(accountId)).toEqual({ opened: 1, resolved: 0 });
    expect(await check(accountId)).toEqual({ opened: 0, resolved: 0 });
    expect(await exceptionsOf(accountId)).toHaveLength(before.length + 1);
    setup.clock.advance(dayMs);
    setup.line.answer("EXC1", [...voyage(), vesselMove("ARRI", "NLRTM", "2026-02-01T06:00:00+01:00", "EST")]);
    await pollAgain(setup, "EXC1");
    expect(await check(accountId)).toEqual({ opened: 0, resolved: 1 });
    const delay = (await exceptionsOf(accountId)).find(({ kind }) => kind === "eta_delay");
    expect(delay).toMatchObject({ kind: "eta_delay", resolution: "cleared" });
  });

  test("an event without effect on the rules leaves the check unchanged", async () => {
    const { accountId, containerId } = await trackVoyage("EXC2");
    await setContainer(containerId, "seal_number = 'X'");
    expect(await dueAccounts()).not.toContain(accountId);
    await setContainer(containerId, hold);
    expect(await dueAccounts()).toContain(accountId);
  });

  test("stopped tracking resolves the exceptions of the shipment", async () => {
    const { accountId, containerId, shipmentId } = await trackVoyage("EXC3");
    await setContainer(containerId, hold);
    await check(accountId);
    await setup.rows(
      "UPDATE shipments SET line_tracking_stopped_at = $2, line_tracking_stopped_reason = 'cancelled_by_user' WHERE id = $1",
      shipmentId,
      setup.clock.now(),
    );
    expect(await check(accountId)).toEqual({ opened: 0, resolved: 1 });
    expect(await exceptionsOf(accountId)).toMatchObject([{ kind: "customs_hold", resolution: "tracking_stopped" }]);
    const left = await setup.rows(
      "SELECT FROM exception_checks WHERE account_id = $1 AND subject_id = $2",
      accountId,
      shipmentId,
    );
    expect(left).toEqual([]);
  });

  test("a failed request is one until its number is requested again", async () => {
    const accountId = await setup.newAccount();
    setup.line.answer("EXC4", []);
    const requestId = await setup.request("EXC4", { accountId });
    await setup.rows(
      "UPDATE tracking_requests SET status = 'failed', failed_reason = 'not_found' WHERE id = $1",
      requestId,
    );
    expect(await check(accountId)).toEqual({ opened: 1, resolved: 0 });
    setup.clock.advance(hourMs);
    await setup.request("EXC4", { accountId });
    expect(await check(accountId)).toEqual({ opened: 0, resolved: 1 });
  });
});

describe("when time passes", () => {
  test("a last free day nears, is today, and is over: one exception after the other, with the days counted on", async () => {
    const { accountId, containerId } = await trackVoyage("EXC5");
    const lastFreeDay = addMs(setup.clock.now(), 5 * dayMs);
    await setContainer(containerId, `pickup_lfd_terminal = '${lastFreeDay}', pickup_lfd = '${lastFreeDay}'`);
    const seen: string[] = [];
    await setup.rows(
      "UPDATE tracking_subjects SET last_changed_at = $1, last_succeeded_at = $1",
      addMs(lastFreeDay, 9 * dayMs),
    );
    for (let day = 0; day <= 7; day++) {
      await check(accountId);
      const open = (await exceptionsOf(accountId)).filter(
        ({ kind, resolution }) => kind.startsWith("last") && !resolution,
      );
      seen.push(open.map(({ kind, details }) => `${kind} ${details.days}`).join(", "));
      setup.clock.advance(dayMs);
    }
    expect(seen).toEqual([
      "",
      "",
      "last_free_day_soon 3",
      "last_free_day_soon 2",
      "last_free_day_soon 1",
      "last_free_day_today 0",
      "last_free_day_over 1",
      "last_free_day_over 2",
    ]);
  });

  test("accounts are served in turn, and a suspended one is not", async () => {
    const [one, other] = [await trackVoyage("EXC6"), await trackVoyage("EXC7")].map(({ accountId }) => accountId);
    setup.clock.advance(60 * dayMs);
    const due = (afterAccount: string) =>
      findAccountsWithDueChecks(setup.database.sql, { now: setup.clock.now(), afterAccount, limit: 1000 });
    const [first, second] = [one ?? "", other ?? ""].sort();
    const order = await due(first ?? "");
    expect(order.indexOf(second ?? "")).toBeLessThan(order.indexOf(first ?? ""));
    await setup.rows("UPDATE accounts SET suspended_at = now() WHERE id = $1", one);
    expect(await due(firstAccount)).not.toContain(one);
  });
});

describe("when the rules cannot be applied to a shipment", () => {
  test("the others of its account are checked, and it is checked again later", async () => {
    const { accountId, containerId, shipmentId } = await trackVoyage("EXC11");
    setup.line.answer("EXC12", voyage(["MSKU0000011"]));
    await setup.request("EXC12", { accountId });
    await pollAgain(setup, "EXC12");
    await check(accountId);
    await setContainer(containerId, `holds_at_pod_terminal = '{"unreadable": true}'`);
    await setup.rows(`UPDATE containers SET ${hold} WHERE account_id = $1 AND id <> $2`, accountId, containerId);
    expect(await check(accountId)).toEqual({ opened: 1, resolved: 0 });
    expect(failed).toEqual([shipmentId]);
    expect(await dueAccounts()).not.toContain(accountId);
    await setContainer(containerId, hold);
    expect(await check(accountId)).toEqual({ opened: 1, resolved: 0 });
  });
});

describe("with several workers", () => {
  test("each condition gets one exception", async () => {
    const { accountId, containerId } = await trackVoyage("EXC8");
    await setContainer(containerId, hold);
    const changes = await Promise.all(
      Array.from({ length: 4 }, () => checkExceptions(setup.context, accountId, onFailure)),
    );
    expect(changes.reduce((sum, { opened }) => sum + opened, 0)).toBe(1);
    expect(await exceptionsOf(accountId)).toHaveLength(1);
  });

  test("a change that commits while its shipment is checked is checked too", async () => {
    const { accountId, containerId } = await trackVoyage("EXC9");
    await setContainer(containerId, "current_status = 'available'");
    const client = await setup.database.pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("SELECT FROM exception_checks WHERE account_id = $1 FOR UPDATE", [accountId]);
      const changing = setContainer(containerId, hold);
      await eventually("the change waits for the check", async () => {
        const waiting = await setup.rows(
          "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE containers%'",
        );
        return waiting.length > 0;
      });
      await client.query("UPDATE exception_checks SET due_at = $2 WHERE account_id = $1", [
        accountId,
        addMs(setup.clock.now(), dayMs),
      ]);
      await client.query("COMMIT");
      await changing;
    } finally {
      client.release();
    }
    expect(await check(accountId)).toEqual({ opened: 1, resolved: 0 });
  });

  test("an exception that a member resolved stays so while its condition lasts, and opens again after it", async () => {
    const { accountId, containerId } = await trackVoyage("EXC10");
    await setContainer(containerId, hold);
    await check(accountId);
    await setup.rows(
      "UPDATE exceptions SET resolved_at = $2, resolution = 'by_member' WHERE account_id = $1",
      accountId,
      setup.clock.now(),
    );
    await setContainer(containerId, "current_status = 'available'");
    expect(await check(accountId)).toEqual({ opened: 0, resolved: 0 });
    setup.clock.advance(hourMs);
    await setContainer(containerId, "holds_at_pod_terminal = '[]'");
    expect(await check(accountId)).toEqual({ opened: 0, resolved: 0 });
    await setContainer(containerId, hold);
    expect(await check(accountId)).toEqual({ opened: 1, resolved: 0 });
    expect((await exceptionsOf(accountId)).map(({ resolution }) => resolution)).toEqual(["by_member", null]);
  });
});

describe("webhooks [issue 17.2.1]", () => {
  interface Sent {
    readonly event: string;
    readonly reference_id: string;
    readonly included: string;
  }
  const sent = (accountId: string) =>
    setup.rows<Sent>(
      `SELECT event, reference_id, included FROM notification_events WHERE account_id = $1 AND event LIKE 'exception.%'
       ORDER BY id`,
      accountId,
    );
  const namesOf = async (accountId: string) => (await sent(accountId)).map(({ event }) => event);

  test("each change is notified once, with the exception and what it is about", async () => {
    const { accountId, containerId } = await trackVoyage("EXC13");
    await setup.subscribe(["exception.*"], accountId);
    await setContainer(containerId, hold);
    await Promise.all(Array.from({ length: 4 }, () => checkExceptions(setup.context, accountId, onFailure)));
    const [{ id } = { id: "" }] = await setup.rows<{ id: string }>(
      "SELECT id FROM exceptions WHERE account_id = $1",
      accountId,
    );
    const [opened] = await sent(accountId);
    expect(await sent(accountId)).toMatchObject([{ event: "exception.opened", reference_id: id }]);
    const included = JSON.parse(opened?.included ?? "[]");
    expect(included.map(({ type }: { type: string }) => type)).toEqual(["exception", "container", "shipment"]);
    expect(included[0].attributes).toMatchObject({ kind: "customs_hold", status: "open", summary: "On hold: customs" });
    await setContainer(containerId, "holds_at_pod_terminal = '[]'");
    await check(accountId);
    await check(accountId);
    expect(await namesOf(accountId)).toEqual(["exception.opened", "exception.resolved"]);
    expect(JSON.parse((await sent(accountId))[1]?.included ?? "[]")[0].attributes.resolution).toBe("cleared");
  });

  test("a condition that a member resolved ends without a notification, at the same moment too", async () => {
    const { accountId, containerId } = await trackVoyage("EXC14");
    await setContainer(containerId, hold);
    await check(accountId);
    await setup.subscribe(["exception.*"], accountId);
    await setup.rows(
      "UPDATE exceptions SET resolved_at = $2, resolution = 'by_member' WHERE account_id = $1",
      accountId,
      setup.clock.now(),
    );
    await setContainer(containerId, "holds_at_pod_terminal = '[]'");
    expect(await check(accountId)).toEqual({ opened: 0, resolved: 0 });
    expect(await sent(accountId)).toEqual([]);
  });

  test("conditions at the beginning of tracking are not notified, later ones and their ends are", async () => {
    setup.line.answer("EXC15", voyage());
    const accountId = await setup.newAccount();
    await setup.subscribe(["exception.*"], accountId);
    await setup.request("EXC15", { accountId });
    await pollAgain(setup, "EXC15");
    const [{ id } = { id: "" }] = await setup.rows<{ id: string }>(
      "SELECT id FROM containers WHERE account_id = $1",
      accountId,
    );
    await setContainer(id, hold);
    expect(await check(accountId)).toMatchObject({ opened: 1 });
    expect(await sent(accountId)).toEqual([]);
    await setContainer(id, `fees_at_pod_terminal = '[{"type": "exam", "amount": 80, "currencyCode": "USD"}]'`);
    expect(await check(accountId)).toMatchObject({ opened: 1 });
    await setContainer(id, "holds_at_pod_terminal = '[]'");
    await check(accountId);
    const kinds = (await sent(accountId)).map(({ event, included }) => [
      event,
      JSON.parse(included)[0].attributes.kind,
    ]);
    expect(kinds).toEqual([
      ["exception.opened", "fee"],
      ["exception.resolved", "customs_hold"],
    ]);
  });

  test("a shipment that could not be checked stays new", async () => {
    setup.line.answer("EXC16", voyage());
    const accountId = await setup.newAccount();
    await setup.subscribe(["exception.*"], accountId);
    await setup.request("EXC16", { accountId });
    await pollAgain(setup, "EXC16");
    await setup.rows(
      `UPDATE containers SET holds_at_pod_terminal = '{"unreadable": true}' WHERE account_id = $1`,
      accountId,
    );
    await check(accountId);
    await setup.rows(`UPDATE containers SET ${hold} WHERE account_id = $1`, accountId);
    expect(await check(accountId)).toMatchObject({ opened: 1 });
    expect(await sent(accountId)).toEqual([]);
  });

  test("a failed request is notified, with the request", async () => {
    const accountId = await setup.newAccount();
    await setup.subscribe(["exception.opened"], accountId);
    const requestId = await setup.request("EXC17", { accountId });
    await check(accountId);
    await setup.rows(
      "UPDATE tracking_requests SET status = 'failed', failed_reason = 'not_found' WHERE id = $1",
      requestId,
    );
    await check(accountId);
    const [failure] = await sent(accountId);
    expect(JSON.parse(failure?.included ?? "[]").map(({ type }: { type: string }) => type)).toEqual([
      "exception",
      "tracking_request",
    ]);
  });

  test("a change whose transaction is rolled back is not notified", async () => {
    const { accountId, containerId } = await trackVoyage("EXC18");
    await setup.subscribe(["exception.*"], accountId);
    await setContainer(containerId, hold);
    await setup.rows(
      "ALTER TABLE notification_events ADD CONSTRAINT refused CHECK (event <> 'exception.opened') NOT VALID",
    );
    await check(accountId);
    expect(failed.length).toBeGreaterThan(0);
    expect(await exceptionsOf(accountId)).toEqual([]);
    await setup.rows("ALTER TABLE notification_events DROP CONSTRAINT refused");
    setup.clock.advance(hourMs);
    await check(accountId);
    expect([(await exceptionsOf(accountId)).length, await namesOf(accountId)]).toEqual([1, ["exception.opened"]]);
  });
});
