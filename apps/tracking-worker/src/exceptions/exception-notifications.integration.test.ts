import { beforeEach, describe, expect, test } from "@jest/globals";
import { hourMs } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { voyage } from "../testing/dcsa-carrier.ts";
import { createExceptionHarness, hold } from "../testing/exception-harness.ts";
import { pollAgain } from "../testing/tracked-number.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";
import { checkExceptions } from "./check-exceptions.ts";

const setup = started(setUpTracking);
const harness = started(() => createExceptionHarness(setup));
beforeEach(() => setup.reset());

describe("webhooks", () => {
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
    const { accountId, containerId } = await harness.trackVoyage("EXC13");
    await setup.subscribe(["exception.*"], accountId);
    await harness.setContainer(containerId, hold);
    await Promise.all(Array.from({ length: 4 }, () => checkExceptions(setup.context, accountId, harness.onFailure)));
    const [{ id } = { id: "" }] = await setup.rows<{ id: string }>(
      "SELECT id FROM exceptions WHERE account_id = $1",
      accountId,
    );
    const [opened] = await sent(accountId);
    expect(await sent(accountId)).toMatchObject([{ event: "exception.opened", reference_id: id }]);
    const included = JSON.parse(opened?.included ?? "[]");
    expect(included.map(({ type }: { type: string }) => type)).toEqual(["exception", "container", "shipment"]);
    expect(included[0].attributes).toMatchObject({ kind: "customs_hold", status: "open", summary: "On hold: customs" });
    await harness.setContainer(containerId, "holds_at_pod_terminal = '[]'");
    await harness.check(accountId);
    await harness.check(accountId);
    expect(await namesOf(accountId)).toEqual(["exception.opened", "exception.resolved"]);
    expect(JSON.parse((await sent(accountId))[1]?.included ?? "[]")[0].attributes.resolution).toBe("cleared");
  });

  test("a condition that a member resolved ends without a notification, at the same moment too", async () => {
    const { accountId, containerId } = await harness.trackVoyage("EXC14");
    await harness.setContainer(containerId, hold);
    await harness.check(accountId);
    await setup.subscribe(["exception.*"], accountId);
    await setup.rows(
      "UPDATE exceptions SET resolved_at = $2, resolution = 'by_member' WHERE account_id = $1",
      accountId,
      setup.clock.now(),
    );
    await harness.setContainer(containerId, "holds_at_pod_terminal = '[]'");
    expect(await harness.check(accountId)).toEqual({ opened: 0, resolved: 0 });
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
    await harness.setContainer(id, hold);
    expect(await harness.check(accountId)).toMatchObject({ opened: 1 });
    expect(await sent(accountId)).toEqual([]);
    await harness.setContainer(id, `fees_at_pod_terminal = '[{"type": "exam", "amount": 80, "currencyCode": "USD"}]'`);
    expect(await harness.check(accountId)).toMatchObject({ opened: 1 });
    await harness.setContainer(id, "holds_at_pod_terminal = '[]'");
    await harness.check(accountId);
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
    await harness.check(accountId);
    await setup.rows(`UPDATE containers SET ${hold} WHERE account_id = $1`, accountId);
    expect(await harness.check(accountId)).toMatchObject({ opened: 1 });
    expect(await sent(accountId)).toEqual([]);
  });

  test("a failed request is notified, with the request", async () => {
    const accountId = await setup.newAccount();
    await setup.subscribe(["exception.opened"], accountId);
    const requestId = await setup.request("EXC17", { accountId });
    await harness.check(accountId);
    await setup.rows(
      "UPDATE tracking_requests SET status = 'failed', failed_reason = 'not_found' WHERE id = $1",
      requestId,
    );
    await harness.check(accountId);
    const [failure] = await sent(accountId);
    expect(JSON.parse(failure?.included ?? "[]").map(({ type }: { type: string }) => type)).toEqual([
      "exception",
      "tracking_request",
    ]);
  });

  test("a change whose transaction is rolled back is not notified", async () => {
    const { accountId, containerId } = await harness.trackVoyage("EXC18");
    await setup.subscribe(["exception.*"], accountId);
    await harness.setContainer(containerId, hold);
    await setup.rows(
      "ALTER TABLE notification_events ADD CONSTRAINT refused CHECK (event <> 'exception.opened') NOT VALID",
    );
    await harness.check(accountId);
    expect(harness.failed.length).toBeGreaterThan(0);
    expect(await harness.exceptionsOf(accountId)).toEqual([]);
    await setup.rows("ALTER TABLE notification_events DROP CONSTRAINT refused");
    setup.clock.advance(hourMs);
    await harness.check(accountId);
    expect([(await harness.exceptionsOf(accountId)).length, await namesOf(accountId)]).toEqual([
      1,
      ["exception.opened"],
    ]);
  });
});
