import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { dayMs, hourMs, minuteMs } from "@svc/domain";
import { bookingDecision, boxMove, vesselMove, voyage } from "./testing/dcsa-line.ts";
import { setUpTracking, type TrackingSetup } from "./testing/tracking-setup.ts";

let setup: TrackingSetup;

beforeAll(async () => {
  setup = await setUpTracking();
});
beforeEach(() => setup.clock.reset());
afterAll(() => setup.close());

/** Polls the number again, whenever it would be due. */
async function pollAgain(number: string): Promise<void> {
  await setup.rows("UPDATE tracking_subjects SET next_poll_at = NULL WHERE number <> $1", number);
  await setup.rows("UPDATE tracking_subjects SET next_poll_at = $2 WHERE number = $1", number, setup.clock.now());
  await setup.pollDue();
}

/** Begins to track the number in an account of its own, which hears of everything. */
async function track(number: string): Promise<{ accountId: string; shipmentId: string }> {
  const accountId = await setup.newAccount();
  await setup.subscribe(["*"], accountId);
  const requestId = await setup.request(number, { accountId, refNumbers: ["PO-1"] });
  await pollAgain(number);
  const { id: shipmentId } = await setup.row<{ id: string }>(
    "SELECT shipment_id AS id FROM tracking_requests WHERE id = $1",
    requestId,
  );
  return { accountId, shipmentId };
}

interface Told {
  readonly event: string;
  readonly reference_id: string;
  readonly included: string;
}
interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What the account was told since it began to track. */
async function toldLater(accountId: string): Promise<Told[]> {
  const told = await setup.rows<Told>("SELECT * FROM notification_events WHERE account_id = $1 ORDER BY id", accountId);
  return told
    .slice(told.findIndex(({ event }) => event === "tracking_request.succeeded"))
    .filter(({ event }, index) => index > 0 && event !== "container.created");
}
const includedIn = (told: Told): Resource[] => JSON.parse(told.included) as Resource[];

/** The writing transaction of every row that the account owns: any write to any of them changes this. */
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

describe("a poll that brings nothing new", () => {
  test("touches no row of the account and is counted on its subject", async () => {
    setup.line.answer("SAME1", voyage());
    const { accountId } = await track("SAME1");
    const before = await writersOf(accountId);
    expect(before.length).toBeGreaterThan(20);
    setup.clock.advance(hourMs);
    await pollAgain("SAME1");
    expect(await writersOf(accountId)).toEqual(before);
    expect(await setup.row("SELECT * FROM tracking_subjects WHERE number = 'SAME1'")).toMatchObject({
      unchanged_polls: 1,
      last_succeeded_at: setup.clock.now(),
      lease_owner: null,
    });
  });

  test("with other bytes keeps the bytes and touches nothing else", async () => {
    const events = voyage();
    setup.line.answer("SAME2", events);
    const { accountId } = await track("SAME2");
    const before = await writersOf(accountId);
    setup.line.answer(
      "SAME2",
      events.map((event) => ({ ...event, eventID: `again-${event.eventID}` })),
    );
    await pollAgain("SAME2");
    const after = await writersOf(accountId);
    const added = after.filter((row) => !before.some((known) => JSON.stringify(known) === JSON.stringify(row)));
    expect(added).toEqual([expect.objectContaining({ t: "raw_replies" })]);
    expect(after).toHaveLength(before.length + 1);
  });

  test("shows when the carrier was last asked, although the shipment is not written", async () => {
    setup.line.answer("SAME3", voyage());
    const { shipmentId } = await track("SAME3");
    setup.clock.advance(hourMs);
    await pollAgain("SAME3");
    const { last_succeeded_at: at } = await setup.row<{ last_succeeded_at: string }>(
      "SELECT x.last_succeeded_at FROM shipments s JOIN tracking_subjects x ON x.id = s.subject_id WHERE s.id = $1",
      shipmentId,
    );
    expect(at).toBe(setup.clock.now());
  });
});

describe("a poll with news", () => {
  test("a moved arrival is written once and told for the shipment and for each container", async () => {
    const events = voyage(["MSKU0000006", "MSKU0000011"]);
    setup.line.answer("ETA1", events);
    const { accountId, shipmentId } = await track("ETA1");
    const containers = "SELECT xmin::text FROM containers WHERE shipment_id = $1 ORDER BY id";
    const before = await setup.rows(containers, shipmentId);
    setup.clock.advance(hourMs);
    setup.line.answer("ETA1", [...events, vesselMove("ARRI", "NLRTM", "2026-02-04T06:00:00+01:00", "EST")]);
    await pollAgain("ETA1");
    expect(await setup.row("SELECT * FROM shipments WHERE id = $1", shipmentId)).toMatchObject({
      pod_eta_at: "2026-02-04T05:00:00.000Z",
      pod_original_eta_at: "2026-02-01T05:00:00.000Z",
      row_version: 2,
    });
    expect(await setup.rows(containers, shipmentId)).toEqual(before);
    const told = await toldLater(accountId);
    expect(told.map(({ event }) => event).sort()).toEqual([
      "container.transport.estimated.vessel_arrived",
      "container.transport.estimated.vessel_arrived",
      "shipment.estimated.arrival",
    ]);
    for (const one of told) {
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

  test("a milestone is told with every record that it stands beside", async () => {
    const events = voyage();
    setup.line.answer("MILE1", events);
    const { accountId } = await track("MILE1");
    setup.clock.advance(25 * dayMs);
    setup.line.answer("MILE1", [
      ...events,
      vesselMove("ARRI", "NLRTM", "2026-02-01T07:00:00+01:00", "ACT"),
      boxMove("DISC", "MSKU0000006", "NLRTM", "2026-02-01T20:00:00+01:00"),
    ]);
    await pollAgain("MILE1");
    const told = await toldLater(accountId);
    expect(told.map(({ event }) => event)).toEqual([
      "container.transport.vessel_arrived",
      "container.transport.vessel_discharged",
    ]);
    const included = includedIn(told[1]!);
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

  test("a container that is named later joins with the references of the request", async () => {
    setup.line.answer("JOIN1", voyage(["MSKU0000006"]));
    const { accountId, shipmentId } = await track("JOIN1");
    setup.line.answer("JOIN1", voyage(["MSKU0000006", "MSKU0000011"]));
    await pollAgain("JOIN1");
    const containers = await setup.rows("SELECT * FROM containers WHERE shipment_id = $1 ORDER BY number", shipmentId);
    expect(containers).toEqual([
      expect.objectContaining({ number: "MSKU0000006", ref_numbers: ["PO-1"] }),
      expect.objectContaining({ number: "MSKU0000011", ref_numbers: ["PO-1"] }),
    ]);
    const created = await setup.rows<Told>(
      "SELECT * FROM notification_events WHERE account_id = $1 AND event = 'container.created' ORDER BY id",
      accountId,
    );
    expect(created.map((told) => includedIn(told).map(({ type }) => type))).toEqual([
      ["container_created_event", "container", "shipment"],
      ["container_created_event", "container", "shipment"],
    ]);
  });

  test("another terminal at the port of discharge is told by its id", async () => {
    const events = voyage();
    setup.line.answer("TERM1", events);
    const { accountId, shipmentId } = await track("TERM1");
    const terminal = () =>
      setup.row<{ id: string }>("SELECT pod_terminal_id AS id FROM containers WHERE shipment_id = $1", shipmentId);
    const before = await terminal();
    setup.line.answer("TERM1", [...events, vesselMove("ARRI", "NLRTM", "2026-02-01T06:30:00+01:00", "EST", "ECTDEL")]);
    await pollAgain("TERM1");
    const after = await terminal();
    expect(after.id).not.toBe(before.id);
    const told = await toldLater(accountId);
    const updated = told.find(({ event }) => event === "container.updated");
    expect(includedIn(updated!)[0]?.attributes.changeset).toEqual({ pod_terminal: [before.id, after.id] });
    expect(told.map(({ event }) => event)).toContain("container.pod_terminal_changed");
  });
});

describe("a carrier that changes its mind", () => {
  const milestones = (accountId: string) =>
    setup.rows<{
      id: string;
      occurred_at: string;
      previous_version_id: string | null;
      invalidation_reason: string | null;
    }>("SELECT * FROM transport_events WHERE account_id = $1 AND event = 'vessel_departed' ORDER BY id", accountId);

  test("a corrected time adds a version and invalidates the old one", async () => {
    const events = voyage();
    setup.line.answer("CORR1", events);
    const { accountId } = await track("CORR1");
    const corrected = events.map((event) =>
      event.transportEventTypeCode === "DEPA"
        ? { ...event, eventDateTime: "2026-01-06T17:00:00+08:00", eventCreatedDateTime: "2026-01-08T00:00:00Z" }
        : event,
    );
    setup.line.answer("CORR1", corrected);
    await pollAgain("CORR1");
    const [old, now, ...more] = await milestones(accountId);
    expect(more).toEqual([]);
    expect(old).toMatchObject({ occurred_at: "2026-01-06T02:00:00.000Z", invalidation_reason: "corrected" });
    expect(now).toMatchObject({ occurred_at: "2026-01-06T09:00:00.000Z", invalidation_reason: null });
    expect(now?.previous_version_id).toBe(old?.id);
    const told = await toldLater(accountId);
    expect(told.map(({ event, reference_id }) => [event, reference_id])).toEqual([
      ["container.transport.vessel_departed", now?.id],
    ]);
  });

  test("a fact is withdrawn when two replies half an hour apart lack it, and can return", async () => {
    const events = voyage();
    const without = events.filter((event) => event.transportEventTypeCode !== "DEPA");
    setup.line.answer("GONE1", events);
    const { accountId } = await track("GONE1");
    const live = async () => (await milestones(accountId)).filter((row) => row.invalidation_reason === null).length;
    setup.line.answer("GONE1", without);
    await pollAgain("GONE1");
    expect(await live()).toBe(1);
    setup.clock.advance(10 * minuteMs);
    await pollAgain("GONE1");
    expect(await live()).toBe(1);
    setup.clock.advance(20 * minuteMs);
    await pollAgain("GONE1");
    expect(await live()).toBe(0);
    setup.clock.advance(hourMs);
    setup.line.answer("GONE1", events);
    await pollAgain("GONE1");
    expect(await live()).toBe(1);
  });

  test("a fact that is back in the next reply was never gone", async () => {
    const events = voyage();
    setup.line.answer("FLAP1", events);
    const { accountId } = await track("FLAP1");
    const before = await milestones(accountId);
    setup.line.answer(
      "FLAP1",
      events.filter((event) => event.transportEventTypeCode !== "DEPA"),
    );
    await pollAgain("FLAP1");
    setup.clock.advance(2 * hourMs);
    setup.line.answer("FLAP1", events);
    await pollAgain("FLAP1");
    setup.clock.advance(2 * hourMs);
    await pollAgain("FLAP1");
    expect(await milestones(accountId)).toEqual(before);
  });

  test("an actual that is told ahead of its time counts once its time has come", async () => {
    const departure = new Date(Date.parse(setup.clock.now()) + 5 * hourMs).toISOString();
    const events = [
      boxMove("LOAD", "MSKU0000006", "CNSHA", "2026-01-05T08:00:00+08:00"),
      vesselMove("DEPA", "CNSHA", departure, "ACT"),
      vesselMove("ARRI", "NLRTM", "2026-03-20T06:00:00+01:00", "EST"),
    ];
    setup.line.answer("AHEAD1", events);
    const { accountId } = await track("AHEAD1");
    expect(await milestones(accountId)).toEqual([]);
    setup.clock.advance(5 * hourMs);
    await pollAgain("AHEAD1");
    expect((await milestones(accountId)).map(({ occurred_at }) => occurred_at)).toEqual([departure]);
  });
});

describe("the end of tracking", () => {
  const stopOf = (shipmentId: string) =>
    setup.row<{ reason: string | null; status: string; next_poll_at: string | null }>(
      `SELECT s.line_tracking_stopped_reason AS reason, r.status, x.next_poll_at
       FROM shipments s JOIN tracking_subjects x ON x.id = s.subject_id JOIN tracking_requests r ON r.shipment_id = s.id
       WHERE s.id = $1`,
      shipmentId,
    );

  test("no news for 56 days stops the shipment and its request, and is told", async () => {
    setup.line.answer("SILENT1", voyage());
    const { accountId, shipmentId } = await track("SILENT1");
    setup.clock.advance(55 * dayMs);
    await pollAgain("SILENT1");
    expect((await stopOf(shipmentId)).reason).toBeNull();
    setup.clock.advance(dayMs);
    await pollAgain("SILENT1");
    expect(await stopOf(shipmentId)).toEqual({
      reason: "no_updates_at_line",
      status: "tracking_stopped",
      next_poll_at: null,
    });
    const [told] = await toldLater(accountId);
    expect(told?.event).toBe("tracking_request.tracking_stopped");
    expect(includedIn(told!).map(({ type }) => type)).toEqual(["tracking_request", "shipment"]);
    expect(includedIn(told!)[1]?.attributes.line_tracking_stopped_reason).toBe("no_updates_at_line");
  });

  test("a number that the carrier no longer knows stops after 14 days, outages do not count", async () => {
    setup.line.answer("LOST1", voyage());
    const { shipmentId } = await track("LOST1");
    setup.line.answer("LOST1", { status: 503 });
    for (let days = 0; days < 20; days++) {
      setup.clock.advance(dayMs);
      await pollAgain("LOST1");
    }
    setup.line.answer("LOST1", { status: 404 });
    for (let days = 0; days < 14; days++) {
      await pollAgain("LOST1");
      expect((await stopOf(shipmentId)).reason).toBeNull();
      setup.clock.advance(dayMs);
    }
    await pollAgain("LOST1");
    expect((await stopOf(shipmentId)).reason).toBe("no_updates_at_line");
  });

  test("a booking whose cancellation stands for six hours stops", async () => {
    const plan = [
      bookingDecision("CONF", "2026-01-02T08:00:00Z"),
      boxMove("LOAD", "MSKU0000006", "CNSHA", "2026-12-05T08:00:00+08:00", "PLN"),
    ];
    setup.line.answer("CANC1", plan);
    const { shipmentId } = await track("CANC1");
    setup.line.answer("CANC1", [...plan, bookingDecision("VOID", setup.clock.now())]);
    await pollAgain("CANC1");
    expect((await stopOf(shipmentId)).reason).toBeNull();
    setup.clock.advance(7 * hourMs);
    await pollAgain("CANC1");
    expect((await stopOf(shipmentId)).reason).toBe("booking_cancelled");
  });

  test("a shipment that a user stopped while its poll was under way is not polled again", async () => {
    setup.line.answer("USER1", voyage());
    const { shipmentId } = await track("USER1");
    const release = setup.line.hold();
    const poll = pollAgain("USER1");
    await setup.rows(
      "UPDATE shipments SET line_tracking_stopped_at = $2, line_tracking_stopped_reason = 'cancelled_by_user' WHERE id = $1",
      shipmentId,
      setup.clock.now(),
    );
    await setup.rows("UPDATE tracking_requests SET status = 'tracking_stopped' WHERE shipment_id = $1", shipmentId);
    release();
    await poll;
    expect(await stopOf(shipmentId)).toEqual({
      reason: "cancelled_by_user",
      status: "tracking_stopped",
      next_poll_at: null,
    });
  });
});
