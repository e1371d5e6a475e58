import { beforeEach, describe, expect, test } from "@jest/globals";
import { addMs, dayMs, hourMs, type Instant } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { findAccountsWithDueChecks } from "@svc/persistence/exceptions";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { createExceptionHarness, hold } from "../testing/exception-harness.ts";
import { pollAgain } from "../testing/tracked-number.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";
import { checkExceptions } from "./check-exceptions.ts";

const setup = started(setUpTracking);
const harness = started(() => createExceptionHarness(setup));
beforeEach(() => setup.reset());

const firstAccount = "00000000-0000-0000-0000-000000000000";

const dueAccounts = () =>
  findAccountsWithDueChecks(setup.database.sql, { now: setup.clock.now(), afterAccount: firstAccount, limit: 1000 });

describe("when facts change", () => {
  test("a reply with a later estimate opens one exception, and an earlier one resolves it", async () => {
    const { accountId } = await harness.trackVoyage("EXC1");
    const before = await harness.exceptionsOf(accountId);
    setup.clock.advance(hourMs);
    setup.line.answer("EXC1", [...voyage(), vesselMove("ARRI", "NLRTM", "2026-02-12T06:00:00+01:00", "EST")]);
    await pollAgain(setup, "EXC1");
    expect(await dueAccounts()).toContain(accountId);
    expect(await harness.check(accountId)).toEqual({ opened: 1, resolved: 0 });
    expect(await harness.check(accountId)).toEqual({ opened: 0, resolved: 0 });
    expect(await harness.exceptionsOf(accountId)).toHaveLength(before.length + 1);
    setup.clock.advance(dayMs);
    setup.line.answer("EXC1", [...voyage(), vesselMove("ARRI", "NLRTM", "2026-02-01T06:00:00+01:00", "EST")]);
    await pollAgain(setup, "EXC1");
    expect(await harness.check(accountId)).toEqual({ opened: 0, resolved: 1 });
    const delay = (await harness.exceptionsOf(accountId)).find(({ kind }) => kind === "eta_delay");
    expect(delay).toMatchObject({ kind: "eta_delay", resolution: "cleared" });
  });

  test("an event without effect on the rules leaves the check unchanged", async () => {
    const { accountId, containerId } = await harness.trackVoyage("EXC2");
    await harness.setContainer(containerId, "seal_number = 'X'");
    expect(await dueAccounts()).not.toContain(accountId);
    await harness.setContainer(containerId, hold);
    expect(await dueAccounts()).toContain(accountId);
  });

  test("an appointment after the last free day opens an exception, and one before it resolves that", async () => {
    const { accountId, containerId } = await harness.trackVoyage("EXC14");
    const day = addMs(setup.clock.now(), 10 * dayMs);
    await harness.setContainer(containerId, `pickup_lfd_terminal = '${day}', pickup_lfd = '${day}'`);
    await harness.check(accountId);
    expect(await dueAccounts()).not.toContain(accountId);
    await harness.setContainer(containerId, `pickup_appointment_at = '${addMs(day, 2 * dayMs)}'`);
    expect(await dueAccounts()).toContain(accountId);
    expect(await harness.check(accountId)).toEqual({ opened: 1, resolved: 0 });
    const found = (await harness.exceptionsOf(accountId)).filter(({ kind }) => kind === "late_appointment");
    expect(found).toMatchObject([{ details: { days: 2 }, resolution: null }]);
    await harness.setContainer(containerId, `pickup_appointment_at = '${addMs(day, -dayMs)}'`);
    expect(await harness.check(accountId)).toEqual({ opened: 0, resolved: 1 });
  });

  test("stopped tracking resolves the exceptions of the shipment", async () => {
    const { accountId, containerId, shipmentId } = await harness.trackVoyage("EXC3");
    await harness.setContainer(containerId, hold);
    await harness.check(accountId);
    await setup.rows(
      "UPDATE shipments SET line_tracking_stopped_at = $2, line_tracking_stopped_reason = 'cancelled_by_user' WHERE id = $1",
      shipmentId,
      setup.clock.now(),
    );
    expect(await harness.check(accountId)).toEqual({ opened: 0, resolved: 1 });
    expect(await harness.exceptionsOf(accountId)).toMatchObject([
      { kind: "customs_hold", resolution: "tracking_stopped" },
    ]);
    const left = await setup.rows(
      "SELECT FROM exception_checks WHERE account_id = $1 AND subject_id = $2",
      accountId,
      shipmentId,
    );
    expect(left).toEqual([]);
  });

  test("a stop for want of reports leaves open what is charged, until the container is picked up", async () => {
    const { accountId, containerId, shipmentId } = await harness.trackVoyage("EXC13");
    const day = addMs(setup.clock.now(), -3 * dayMs);
    const fees = `fees_at_pod_terminal = '[{"type": "demurrage", "amount": 450, "currencyCode": "USD"}]'`;
    await harness.setContainer(containerId, `${hold}, ${fees}, pickup_lfd_terminal = '${day}', pickup_lfd = '${day}'`);
    await harness.check(accountId);
    const stop =
      "UPDATE shipments SET line_tracking_stopped_at = $2, line_tracking_stopped_reason = 'past_arrival_window' WHERE id = $1";
    await setup.rows(stop, shipmentId, setup.clock.now());
    await harness.check(accountId);
    const openOnes = async () =>
      (await harness.exceptionsOf(accountId)).filter(({ resolution }) => resolution === null);
    const trackingStoppedDate = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    expect(await openOnes()).toMatchObject([{ kind: "last_free_day_over", details: { trackingStoppedDate } }]);
    await harness.setContainer(containerId, `pod_full_out_at = '${setup.clock.now()}'`);
    await harness.check(accountId);
    expect(await openOnes()).toEqual([]);
  });

  test("a stop for want of reports keeps an overdue arrival open with its owner and note, until the pickup", async () => {
    const { accountId, containerId, shipmentId } = await harness.trackVoyage("EXC21");
    const { etaAt } = await setup.row<{ etaAt: Instant }>(
      'SELECT pod_eta_at AS "etaAt" FROM shipments WHERE id = $1',
      shipmentId,
    );
    setup.clock.advance(Date.parse(etaAt) - Date.parse(setup.clock.now()) + 3.5 * dayMs);
    await harness.check(accountId);
    const userId = uuidV7.next();
    await setup.rows(
      "UPDATE exceptions SET owner_user_id = $2, note = 'Call the carrier' WHERE account_id = $1 AND kind = 'arrival_overdue'",
      accountId,
      userId,
    );
    setup.clock.advance(dayMs);
    await setup.rows(
      "UPDATE shipments SET line_tracking_stopped_at = $2, line_tracking_stopped_reason = 'no_updates_at_line' WHERE id = $1",
      shipmentId,
      setup.clock.now(),
    );
    await harness.check(accountId);
    const overdue = async () =>
      setup.rows<object>(
        `SELECT details->'days' AS days, resolution, note, owner_user_id AS owner FROM exceptions
         WHERE account_id = $1 AND kind = 'arrival_overdue'`,
        accountId,
      );
    const retained = { note: "Call the carrier", owner: userId };
    expect(await overdue()).toEqual([{ days: 4, resolution: null, ...retained }]);
    setup.clock.advance(dayMs);
    await harness.check(accountId);
    expect(await overdue()).toEqual([{ days: 5, resolution: null, ...retained }]);
    await setup.rows("UPDATE shipments SET containers_picked_up = true WHERE account_id = $1", accountId);
    await harness.setContainer(containerId, `pod_full_out_at = '${setup.clock.now()}'`);
    await harness.check(accountId);
    expect(await overdue()).toEqual([{ days: 5, resolution: "tracking_stopped", ...retained }]);
  });

  test("a failed request is one until its number is requested again", async () => {
    const accountId = await setup.newAccount();
    setup.line.answer("EXC4", []);
    const requestId = await setup.request("EXC4", { accountId });
    await setup.rows(
      "UPDATE tracking_requests SET status = 'failed', failed_reason = 'not_found' WHERE id = $1",
      requestId,
    );
    expect(await harness.check(accountId)).toEqual({ opened: 1, resolved: 0 });
    setup.clock.advance(90 * dayMs);
    expect(await harness.check(accountId)).toEqual({ opened: 0, resolved: 0 });
    await setup.request("EXC4", { accountId });
    expect(await harness.check(accountId)).toEqual({ opened: 0, resolved: 1 });
  });
});

test("a request that waits says that its carrier is not connected", async () => {
  const accountId = await setup.newAccount();
  const requestId = await setup.request("EXC14", { accountId });
  await setup.rows(
    `UPDATE tracking_subjects s SET next_poll_at = s.created_at + interval '3 days', last_attempted_at = NULL
     FROM tracking_requests r WHERE r.id = $1 AND s.account_id = r.account_id AND s.id = r.subject_id`,
    requestId,
  );
  setup.clock.advance(2 * dayMs);
  await harness.check(accountId);
  const unconnectedCarrier = expect.any(String);
  expect(await harness.exceptionsOf(accountId)).toMatchObject([
    { kind: "tracking_request_waiting", details: { days: 2, unconnectedCarrier } },
  ]);
});

describe("when time passes", () => {
  test("a last free day nears, is today, and is over: one exception after the other, with the days counted on", async () => {
    const { accountId, containerId } = await harness.trackVoyage("EXC5");
    const lastFreeDay = addMs(setup.clock.now(), 5 * dayMs);
    await harness.setContainer(containerId, `pickup_lfd_terminal = '${lastFreeDay}', pickup_lfd = '${lastFreeDay}'`);
    const history: string[] = [];
    await setup.rows(
      "UPDATE tracking_subjects SET last_changed_at = $1, last_succeeded_at = $1",
      addMs(lastFreeDay, 9 * dayMs),
    );
    for (let day = 0; day <= 7; day++) {
      await harness.check(accountId);
      const open = (await harness.exceptionsOf(accountId)).filter(
        ({ kind, resolution }) => kind.startsWith("last") && !resolution,
      );
      history.push(open.map(({ kind, details }) => `${kind} ${details.days}`).join(", "));
      setup.clock.advance(dayMs);
    }
    expect(history).toEqual([
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

  test("an arrival is overdue a day after its estimate, and no more once all containers are picked up", async () => {
    const { accountId, containerId } = await harness.trackVoyage("EXC18");
    const { etaAt } = await setup.row<{ etaAt: Instant }>(
      'SELECT pod_eta_at AS "etaAt" FROM shipments WHERE account_id = $1',
      accountId,
    );
    setup.clock.advance(Date.parse(etaAt) - Date.parse(setup.clock.now()) + 4.5 * dayMs);
    await harness.check(accountId);
    const overdue = async () => {
      const found = (await harness.exceptionsOf(accountId)).filter(({ kind }) => kind === "arrival_overdue");
      return found.map(({ details, resolution }) => [details.days, resolution]);
    };
    expect(await overdue()).toEqual([[4, null]]);
    await setup.rows("UPDATE shipments SET containers_picked_up = true WHERE account_id = $1", accountId);
    await harness.setContainer(containerId, `pod_full_out_at = '${setup.clock.now()}'`);
    await harness.check(accountId);
    expect(await overdue()).toEqual([[4, "cleared"]]);
  });

  test("accounts are served in turn, and a suspended one is not", async () => {
    const [one, other] = [await harness.trackVoyage("EXC6"), await harness.trackVoyage("EXC7")].map(
      ({ accountId }) => accountId,
    );
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
    const { accountId, containerId, shipmentId } = await harness.trackVoyage("EXC11");
    setup.line.answer("EXC12", voyage(["MSKU0000011"]));
    await setup.request("EXC12", { accountId });
    await pollAgain(setup, "EXC12");
    await harness.check(accountId);
    await harness.setContainer(containerId, `holds_at_pod_terminal = '{"unreadable": true}'`);
    await setup.rows(`UPDATE containers SET ${hold} WHERE account_id = $1 AND id <> $2`, accountId, containerId);
    expect(await harness.check(accountId)).toEqual({ opened: 1, resolved: 0 });
    expect(harness.failed).toEqual([shipmentId]);
    expect(await dueAccounts()).not.toContain(accountId);
    await harness.setContainer(containerId, hold);
    expect(await harness.check(accountId)).toEqual({ opened: 1, resolved: 0 });
  });

  test("a change while the check fails is checked at once", async () => {
    const { accountId, containerId } = await harness.trackVoyage("EXC13");
    await harness.setContainer(containerId, `holds_at_pod_terminal = '{"unreadable": true}'`);
    let changing: Promise<unknown> | undefined;
    await checkExceptions(setup.context, accountId, () => {
      changing = harness.setContainer(containerId, hold);
    });
    await changing;
    await harness.check(accountId);
    expect(await harness.exceptionsOf(accountId)).toHaveLength(1);
  });
});

describe("with several workers", () => {
  test("each condition gets one exception", async () => {
    const { accountId, containerId } = await harness.trackVoyage("EXC8");
    await harness.setContainer(containerId, hold);
    const changes = await Promise.all(
      Array.from({ length: 4 }, () => checkExceptions(setup.context, accountId, harness.onFailure)),
    );
    expect(changes.reduce((sum, { opened }) => sum + opened, 0)).toBe(1);
    expect(await harness.exceptionsOf(accountId)).toHaveLength(1);
  });

  test("an exception that only a newer worker knows stays open, and its shipment is checked again soon", async () => {
    const { accountId, containerId, shipmentId } = await harness.trackVoyage("EXC15");
    await harness.setContainer(containerId, hold);
    await harness.check(accountId);
    await setup.rows(
      `INSERT INTO exceptions (account_id, id, kind, severity, priority, subject_id, shipment_id, details,
          opened_at, created_at, updated_at)
        SELECT account_id, gen_random_uuid(), 'strike_announced', 'warning', 1, id, id, '{}', $2, $2, $2
        FROM shipments WHERE id = $1`,
      shipmentId,
      setup.clock.now(),
    );
    await harness.setContainer(containerId, "holds_at_pod_terminal = '[]'");
    expect(await harness.check(accountId)).toEqual({ opened: 0, resolved: 1 });
    const kinds = (await harness.exceptionsOf(accountId)).map(({ kind, resolution }) => [kind, resolution]);
    expect(kinds).toEqual(expect.arrayContaining([["strike_announced", null]]));
    expect(await dueAccounts()).not.toContain(accountId);
    setup.clock.advance(hourMs);
    expect(await dueAccounts()).toContain(accountId);
  });

  test("a change that commits while its shipment is checked is checked too", async () => {
    const { accountId, containerId } = await harness.trackVoyage("EXC9");
    await harness.setContainer(containerId, "current_status = 'available'");
    const client = await setup.database.pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("SELECT FROM exception_checks WHERE account_id = $1 FOR UPDATE", [accountId]);
      const changing = harness.setContainer(containerId, hold);
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
    expect(await harness.check(accountId)).toEqual({ opened: 1, resolved: 0 });
  });

  test("an exception that a member resolved stays so while its condition lasts, and opens again after it", async () => {
    const { accountId, containerId } = await harness.trackVoyage("EXC10");
    await harness.setContainer(containerId, hold);
    await harness.check(accountId);
    await setup.rows(
      "UPDATE exceptions SET resolved_at = $2, resolution = 'by_member' WHERE account_id = $1",
      accountId,
      setup.clock.now(),
    );
    await harness.setContainer(containerId, "current_status = 'available'");
    expect(await harness.check(accountId)).toEqual({ opened: 0, resolved: 0 });
    setup.clock.advance(hourMs);
    await harness.setContainer(containerId, "holds_at_pod_terminal = '[]'");
    expect(await harness.check(accountId)).toEqual({ opened: 0, resolved: 0 });
    await harness.setContainer(containerId, hold);
    expect(await harness.check(accountId)).toEqual({ opened: 1, resolved: 0 });
    expect((await harness.exceptionsOf(accountId)).map(({ resolution }) => resolution)).toEqual(["by_member", null]);
  });
});
