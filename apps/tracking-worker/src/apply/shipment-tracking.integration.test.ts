import { beforeEach, describe, expect, test } from "@jest/globals";
import { dayMs, hourMs } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { containerMove, vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import {
  includedIn,
  type NotifiedEvent,
  notificationsAfterCreation,
  pollAgain,
  track,
} from "../testing/tracked-number.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";

const setup = started(setUpTracking);
beforeEach(() => setup.reset());

/** The transaction ids (xmin) of every row of the account: any write changes them. */
async function writersOf(accountId: string): Promise<unknown[]> {
  const tables = ["tracking_requests", "raw_replies", "observations", "shipments", "containers", "transport_events"];
  const more = ["field_facts", "notification_events", "webhook_notifications"];
  const rows = await Promise.all(
    [...tables, ...more].map((table) =>
      setup.rows(`SELECT '${table}' AS t, id, xmin::text FROM ${table} WHERE account_id = $1 ORDER BY id`, accountId),
    ),
  );
  return rows.flat();
}

test("a shipment has its number without the spaces that were typed; its request has them", async () => {
  setup.line.answer("SPACED1", voyage());
  const accountId = await setup.newAccount();
  await setup.request("Spaced 1", { accountId });
  await pollAgain(setup, "SPACED1");
  const numbers = await setup.row(
    `SELECT s.bill_of_lading_number AS shipment, r.request_number AS request
     FROM tracking_requests r JOIN shipments s ON s.id = r.shipment_id WHERE r.account_id = $1`,
    accountId,
  );
  expect(numbers).toEqual({ shipment: "SPACED1", request: "Spaced 1" });
});

test("keeps the time at which the carrier reported an event that is read late", async () => {
  setup.line.answer("READLATE1", voyage());
  setup.clock.advance(20 * dayMs);
  await track(setup, "READLATE1");
  const subject = await setup.row<{ progress: { reportedAt: string }; last_changed_at: string }>(
    "SELECT progress, last_changed_at FROM tracking_subjects WHERE number = 'READLATE1'",
  );
  expect(subject.last_changed_at).toBe(setup.clock.now());
  const { at } = await setup.row<{ at: string }>(
    `SELECT max(o.fact->>'statedAt') AS at FROM observations o JOIN tracking_subjects s ON s.id = o.subject_id
     WHERE s.number = 'READLATE1'`,
  );
  expect(subject.progress.reportedAt).toBe(at);
  expect(at < "2026-01-10").toBe(true);
});

describe("a poll without changes", () => {
  test("writes no row of the account, and is counted on its subject", async () => {
    setup.line.answer("SAME1", voyage());
    const { accountId } = await track(setup, "SAME1");
    const before = await writersOf(accountId);
    expect(before.length).toBeGreaterThan(20);
    setup.clock.advance(hourMs);
    await pollAgain(setup, "SAME1");
    expect(await writersOf(accountId)).toEqual(before);
    expect(await setup.row("SELECT * FROM tracking_subjects WHERE number = 'SAME1'")).toMatchObject({
      unchanged_polls: 1,
      last_succeeded_at: setup.clock.now(),
      lease_owner: null,
    });
  });

  test("with other bytes but the same events stores nothing", async () => {
    const events = voyage();
    setup.line.answer("SAME2", events);
    const { accountId } = await track(setup, "SAME2");
    const before = await writersOf(accountId);
    setup.line.answer(
      "SAME2",
      events.map((event) => ({ ...event, eventID: `again-${event.eventID}` })),
    );
    await pollAgain(setup, "SAME2");
    const after = await writersOf(accountId);
    expect(after).toEqual(before);
  });

  test("shows the time of the last poll, although the shipment is not written", async () => {
    setup.line.answer("SAME3", voyage());
    const { shipmentId } = await track(setup, "SAME3");
    setup.clock.advance(hourMs);
    await pollAgain(setup, "SAME3");
    const { last_succeeded_at: at } = await setup.row<{ last_succeeded_at: string }>(
      "SELECT x.last_succeeded_at FROM shipments s JOIN tracking_subjects x ON x.id = s.subject_id WHERE s.id = $1",
      shipmentId,
    );
    expect(at).toBe(setup.clock.now());
  });
});

describe("a poll with changes", () => {
  test("writes a changed ETA once, and notifies it for the shipment and each container", async () => {
    const events = voyage(["MSKU0000006", "MSKU0000011"]);
    setup.line.answer("ETA1", events);
    const { accountId, shipmentId } = await track(setup, "ETA1");
    const containers = "SELECT xmin::text FROM containers WHERE shipment_id = $1 ORDER BY id";
    const before = await setup.rows(containers, shipmentId);
    setup.clock.advance(hourMs);
    setup.line.answer("ETA1", [...events, vesselMove("ARRI", "NLRTM", "2026-02-04T06:00:00+01:00", "EST")]);
    await pollAgain(setup, "ETA1");
    expect(await setup.row("SELECT * FROM shipments WHERE id = $1", shipmentId)).toMatchObject({
      pod_eta_at: "2026-02-04T05:00:00.000Z",
      pod_original_eta_at: "2026-02-01T05:00:00.000Z",
      row_version: 2,
    });
    expect(await setup.rows(containers, shipmentId)).toEqual(before);
    const notified = await notificationsAfterCreation(setup, accountId);
    expect(notified.map(({ event }) => event).sort()).toEqual([
      "container.transport.estimated.vessel_arrived",
      "container.transport.estimated.vessel_arrived",
      "shipment.estimated.arrival",
    ]);
    for (const one of notified) {
      const [reference] = includedIn(one);
      expect(reference?.id).toBe(one.reference_id);
      expect(Object.values(reference?.attributes ?? {})).toContain("2026-02-04T05:00:00.000Z");
    }
    const history = await setup.rows<{ value: string; superseded_at: string | null }>(
      "SELECT value, superseded_at FROM field_facts WHERE subject_id = $1 AND field = 'podEtaAt' ORDER BY id",
      shipmentId,
    );
    expect(history.map(({ value, superseded_at }) => [value, superseded_at !== null])).toEqual([
      ["2026-02-01T05:00:00.000Z", true],
      ["2026-02-04T05:00:00.000Z", false],
    ]);
  });

  test("notifies an ETA that changes in small steps once they add up", async () => {
    const known = [...voyage()];
    setup.line.answer("DRIFT1", known);
    const { accountId, shipmentId } = await track(setup, "DRIFT1");
    const steps: unknown[] = [];
    for (const [index, hours] of [13, 20, 23].entries()) {
      setup.clock.advance(hourMs);
      known.push(vesselMove("ARRI", "NLRTM", `2026-02-01T${hours}:00:00+01:00`, "EST"));
      setup.line.answer("DRIFT1", [...known]);
      await pollAgain(setup, "DRIFT1");
      const { notified_eta, row_version } = await setup.row<{ notified_eta: string; row_version: number }>(
        "SELECT notified_pod_eta_at AS notified_eta, row_version FROM shipments WHERE id = $1",
        shipmentId,
      );
      expect(row_version).toBe(index + 2);
      const notified = (await notificationsAfterCreation(setup, accountId)).filter(
        ({ event }) => event === "shipment.estimated.arrival",
      );
      steps.push([notified_eta, notified.length]);
    }
    expect(steps).toEqual([
      ["2026-02-01T05:00:00.000Z", 0],
      [null, 1],
      ["2026-02-01T19:00:00.000Z", 1],
    ]);
  });

  test("notifies a milestone with every related record", async () => {
    const events = voyage();
    setup.line.answer("MILE1", events);
    const { accountId } = await track(setup, "MILE1");
    setup.clock.advance(25 * dayMs);
    setup.line.answer("MILE1", [
      ...events,
      vesselMove("ARRI", "NLRTM", "2026-02-01T07:00:00+01:00", "ACT"),
      containerMove("DISC", "MSKU0000006", "NLRTM", "2026-02-01T20:00:00+01:00"),
    ]);
    await pollAgain(setup, "MILE1");
    const notified = await notificationsAfterCreation(setup, accountId);
    expect(notified.map(({ event }) => event)).toEqual([
      "container.transport.vessel_arrived",
      "container.transport.vessel_discharged",
    ]);
    const included = includedIn(notified[1]!);
    expect(included.map(({ type }) => type)).toEqual([
      "transport_event",
      "container",
      "shipment",
      "port",
      "vessel",
      "terminal",
    ]);
    expect(included[1]?.attributes.current_status).toBe("grounded");
    expect(included[3]?.attributes.code).toBe("NLRTM");
  });

  test("adds a container that is reported later, with the references of the request", async () => {
    setup.line.answer("JOIN1", voyage(["MSKU0000006"]));
    const { accountId, shipmentId } = await track(setup, "JOIN1");
    setup.line.answer("JOIN1", voyage(["MSKU0000006", "MSKU0000011"]));
    await pollAgain(setup, "JOIN1");
    const containers = await setup.rows("SELECT * FROM containers WHERE shipment_id = $1 ORDER BY number", shipmentId);
    expect(containers).toEqual([
      expect.objectContaining({ number: "MSKU0000006", ref_numbers: ["PO-1"] }),
      expect.objectContaining({ number: "MSKU0000011", ref_numbers: ["PO-1"] }),
    ]);
    const created = await setup.rows<NotifiedEvent>(
      "SELECT * FROM notification_events WHERE account_id = $1 AND event = 'container.created' ORDER BY id",
      accountId,
    );
    expect(created.map((event) => includedIn(event).map(({ type }) => type))).toEqual([
      ["container_created_event", "container", "shipment"],
      ["container_created_event", "container", "shipment"],
    ]);
  });

  test("notifies another terminal at the port of discharge by its id", async () => {
    const events = voyage();
    setup.line.answer("TERM1", events);
    const { accountId, shipmentId } = await track(setup, "TERM1");
    const terminal = () =>
      setup.row<{ id: string }>("SELECT pod_terminal_id AS id FROM containers WHERE shipment_id = $1", shipmentId);
    const before = await terminal();
    setup.line.answer("TERM1", [...events, vesselMove("ARRI", "NLRTM", "2026-02-01T06:30:00+01:00", "EST", "ECTDEL")]);
    await pollAgain(setup, "TERM1");
    const after = await terminal();
    expect(after.id).not.toBe(before.id);
    const notified = await notificationsAfterCreation(setup, accountId);
    const updated = notified.find(({ event }) => event === "container.updated");
    expect(includedIn(updated!)[0]?.attributes.changeset).toEqual({ pod_terminal: [before.id, after.id] });
    expect(notified.map(({ event }) => event)).toContain("container.pod_terminal_changed");
  });
});
