import { beforeEach, describe, expect, test } from "@jest/globals";
import { dayMs, hourMs } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { stopTracking } from "@svc/persistence/shipments";
import { started } from "@svc/testkit/started";
import { bookingDecision, vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";

const setup = started(setUpTracking);
beforeEach(() => setup.reset());

interface RequestRow {
  readonly status: string;
  readonly failed_reason: string | null;
  readonly is_retrying: boolean;
  readonly retry_count: number;
  readonly shipment_id: string | null;
}
const requestRow = (id: string) => setup.row<RequestRow>("SELECT * FROM tracking_requests WHERE id = $1", id);

interface NotifiedEvent {
  readonly event: string;
  readonly reference_id: string;
  readonly included: string;
}
const notificationsOf = (requestId: string) =>
  setup.rows<NotifiedEvent>("SELECT * FROM notification_events WHERE reference_id = $1 ORDER BY id", requestId);

describe("a request for a number that the carrier knows", () => {
  test("is created with its shipment and containers, both with its references [spec: tracking_requests.create.ref_numbers]", async () => {
    await setup.subscribe(["tracking_request.*"]);
    setup.line.answer("FOUND1", voyage(["MSKU0000006", "MSKU0000011"]));
    const id = await setup.request("FOUND1", { refNumbers: ["PO-7"], shipmentTags: ["urgent"] });
    await setup.pollDue();
    const request = await requestRow(id);
    expect(request).toMatchObject({ status: "created", failed_reason: null, is_retrying: false });
    const shipment = await setup.row("SELECT * FROM shipments WHERE id = $1", request.shipment_id);
    expect(shipment).toMatchObject({ bill_of_lading_number: "FOUND1", ref_numbers: ["PO-7"], tags: ["urgent"] });
    expect(shipment).toMatchObject({ pol_atd_at: "2026-01-06T02:00:00.000Z", pod_eta_at: "2026-02-01T05:00:00.000Z" });
    const containers = await setup.rows("SELECT * FROM containers WHERE shipment_id = $1", request.shipment_id);
    expect(containers).toHaveLength(2);
    for (const container of containers) {
      expect(container).toMatchObject({ ref_numbers: ["PO-7"], current_status: "on_ship", equipment_type: "dry" });
    }
    const [notified, ...more] = await notificationsOf(id);
    expect([notified?.event, more]).toEqual(["tracking_request.succeeded", []]);
    const types = (JSON.parse(notified?.included ?? "") as { type: string }[]).map(({ type }) => type);
    expect(types).toEqual(["tracking_request", "shipment", "container", "container"]);
  });

  test("keeps its number as it was typed; that of the shipment is in capitals", async () => {
    setup.line.answer("TYPED1", voyage());
    const id = await setup.request("typed1");
    await setup.pollDue();
    const { shipment_id: shipmentId, ...request } = await requestRow(id);
    expect(request).toMatchObject({ status: "created", request_number: "typed1" });
    const shipment = await setup.row("SELECT * FROM shipments WHERE id = $1", shipmentId);
    expect(shipment).toMatchObject({ bill_of_lading_number: "TYPED1" });
  });

  test("notifies no event from before the request", async () => {
    const account = await setup.newAccount();
    await setup.subscribe(["*"], account);
    setup.line.answer("PAST1", voyage());
    await setup.request("PAST1", { accountId: account });
    await setup.pollDue();
    const events = await setup.rows<{ event: string }>(
      "SELECT event FROM webhook_notifications WHERE account_id = $1 ORDER BY id",
      account,
    );
    expect(events.map(({ event }) => event)).toEqual(["tracking_request.succeeded", "container.created"]);
  });
});

describe("a request for a number that the carrier does not know", () => {
  test("awaits its manifest, is notified once, and is created when the number appears", async () => {
    const id = await setup.request("LATE1");
    await setup.pollDue();
    expect(await requestRow(id)).toMatchObject({ status: "awaiting_manifest", failed_reason: null });
    setup.clock.advance(6 * hourMs);
    await setup.pollDue();
    setup.line.answer("LATE1", voyage());
    setup.clock.advance(6 * hourMs);
    await setup.pollDue();
    expect((await requestRow(id)).status).toBe("created");
    const notified = await notificationsOf(id);
    expect(notified.map(({ event }) => event)).toEqual([
      "tracking_request.awaiting_manifest",
      "tracking_request.succeeded",
    ]);
  });

  test("awaits its manifest also when the carrier knows the number but no container", async () => {
    setup.line.answer("EMPTY1", [bookingDecision("CONF", "2026-01-02T08:00:00Z")]);
    const id = await setup.request("EMPTY1", { requestType: "booking_number" });
    await setup.pollDue();
    expect((await requestRow(id)).status).toBe("awaiting_manifest");
  });

  test("awaits events of its container when the carrier reports only the vessel, also after a missing reply", async () => {
    const number = "MSKU0000027";
    setup.line.answer(number, [vesselMove("DEPA", "CNSHA", "2026-01-06T10:00:00+08:00", "ACT")]);
    const id = await setup.request(number, { requestType: "container" });
    await setup.pollDue();
    expect(await requestRow(id)).toMatchObject({ status: "awaiting_manifest", failed_reason: null });
    setup.line.answer(number, { status: 404 });
    setup.clock.advance(6 * hourMs);
    await setup.pollDue();
    expect(await requestRow(id)).toMatchObject({ status: "awaiting_manifest" });
    setup.line.answer(number, voyage([number]));
    setup.clock.advance(6 * hourMs);
    await setup.pollDue();
    expect(await requestRow(id)).toMatchObject({ status: "created" });
  });

  test("expires after seven days of polls, every six hours for two days and then daily", async () => {
    const id = await setup.request("NEVER1");
    for (let hours = 0; hours <= 7 * 24; hours++) {
      await setup.pollDue();
      setup.clock.advance(hourMs);
    }
    expect(await requestRow(id)).toMatchObject({ status: "failed", failed_reason: "expired" });
    expect(setup.line.requestCount("NEVER1")).toBe(14);
    expect((await notificationsOf(id)).map(({ event }) => event)).toEqual([
      "tracking_request.awaiting_manifest",
      "tracking_request.failed",
    ]);
  });

  test("fails at once when it is a container", async () => {
    const id = await setup.request("MSKU9999999", { requestType: "container" });
    await setup.pollDue();
    expect(await requestRow(id)).toMatchObject({ status: "failed", failed_reason: "not_found" });
    setup.clock.advance(30 * dayMs);
    await setup.pollDue();
    expect(setup.line.requestCount("MSKU9999999")).toBe(1);
  });
});

describe("a request whose carrier sends no usable reply", () => {
  test("is retried, shows the reason, and is created when the carrier recovers", async () => {
    setup.line.answer("DOWN1", { status: 503 });
    const id = await setup.request("DOWN1");
    await setup.pollDue();
    const retrying = { status: "pending", is_retrying: true, retry_count: 1 };
    expect(await requestRow(id)).toMatchObject({ ...retrying, failed_reason: "shipping_line_unreachable" });
    setup.line.answer("DOWN1", "<html>maintenance</html>");
    setup.clock.advance(hourMs);
    await setup.pollDue();
    expect(await requestRow(id)).toMatchObject({ retry_count: 2, failed_reason: "unrecognized_response" });
    setup.line.answer("DOWN1", voyage());
    setup.clock.advance(hourMs);
    await setup.pollDue();
    expect(await requestRow(id)).toMatchObject({ status: "created", failed_reason: null, is_retrying: false });
  });

  test("fails permanently after fourteen tries", async () => {
    setup.line.answer("DOWN2", { status: 500 });
    const id = await setup.request("DOWN2");
    for (let tries = 0; tries < 20; tries++) {
      await setup.pollDue();
      setup.clock.advance(4 * hourMs);
    }
    expect(await requestRow(id)).toMatchObject({ status: "failed", failed_reason: "retries_exhausted" });
    expect(setup.line.requestCount("DOWN2")).toBe(14);
  });

  test("waits for the Retry-After of its carrier without a failure", async () => {
    setup.line.answer("BUSY1", { status: 429, headers: { "retry-after": "600" } });
    const id = await setup.request("BUSY1");
    await setup.pollDue();
    expect(await requestRow(id)).toMatchObject({ status: "pending", is_retrying: false, retry_count: 0 });
    const subject = await setup.row<{ wait: string }>(
      "SELECT next_poll_at - $1::timestamptz AS wait FROM tracking_subjects WHERE number = 'BUSY1'",
      setup.clock.now(),
    );
    expect(subject.wait).toMatchObject({ minutes: 10 });
  });

  test("stays open without a try when no connection polls the carrier, and is checked daily", async () => {
    const id = await setup.request("NOWHERE1", { scac: "ZIMU" });
    for (let days = 0; days < 20; days++) {
      await setup.pollDue();
      setup.clock.advance(dayMs);
    }
    expect(await requestRow(id)).toMatchObject({ status: "pending", is_retrying: false, retry_count: 0 });
    const subject = await setup.row("SELECT last_attempted_at FROM tracking_subjects WHERE number = 'NOWHERE1'");
    expect(subject).toEqual({ last_attempted_at: null });
  });

  test("fails with data_unavailable when its carrier never accepts the credentials", async () => {
    setup.line.answer("SECRET1", { status: 401 });
    setup.line.answer("BUSY1", { status: 404 });
    const id = await setup.request("SECRET1");
    await setup.pollDue();
    expect(await requestRow(id)).toMatchObject({ status: "pending", failed_reason: "data_unavailable" });
    for (let tries = 0; tries < 20; tries++) {
      setup.clock.advance(4 * hourMs);
      await setup.pollDue();
    }
    expect(await requestRow(id)).toMatchObject({ status: "failed", failed_reason: "data_unavailable" });
    expect(setup.line.requestCount("SECRET1")).toBe(14);
  });
});

describe("a request that cannot succeed", () => {
  test("fails when the carrier rejects the number", async () => {
    setup.line.answer("BAD1", { status: 400 });
    const id = await setup.request("BAD1");
    await setup.pollDue();
    expect(await requestRow(id)).toMatchObject({ status: "failed", failed_reason: "invalid_number" });
  });

  test("fails when its booking is cancelled at the first poll", async () => {
    const decisions = [
      bookingDecision("CONF", "2026-01-02T08:00:00Z"),
      bookingDecision("VOID", "2026-01-03T08:00:00Z"),
    ];
    setup.line.answer("VOID1", decisions);
    const id = await setup.request("VOID1", { requestType: "booking_number" });
    await setup.pollDue();
    expect(await requestRow(id)).toMatchObject({ status: "failed", failed_reason: "booking_cancelled" });
  });
});

describe("a request for a number with an earlier shipment", () => {
  test("resumes the shipment instead of creating another, whose number stays as it was first given", async () => {
    setup.line.answer("AGAIN1", voyage());
    const first = await setup.request("B/L no. again-1", { refNumbers: ["A"] });
    await setup.pollDue();
    const { shipment_id: shipmentId } = await requestRow(first);
    await setup.rows(
      `UPDATE shipments SET line_tracking_stopped_at = now(), line_tracking_stopped_reason = 'cancelled_by_user'
       WHERE id = $1`,
      shipmentId,
    );
    await setup.rows("UPDATE tracking_requests SET status = 'tracking_stopped' WHERE id = $1", first);
    const second = await setup.request("AGAIN1", { requestType: "booking_number", refNumbers: ["A", "B"] });
    await setup.pollDue();
    expect(await requestRow(second)).toMatchObject({ status: "created", shipment_id: shipmentId });
    const shipment = await setup.row("SELECT * FROM shipments WHERE id = $1", shipmentId);
    expect(shipment).toMatchObject({ ref_numbers: ["A", "B"], line_tracking_stopped_reason: null });
    expect(shipment).toMatchObject({ bill_of_lading_number: "AGAIN-1", normalized_number: "AGAIN1" });
    const polled = await setup.rows<{ kind: string }>(
      "SELECT kind FROM tracking_subjects WHERE number = 'AGAIN1' AND next_poll_at IS NOT NULL",
    );
    expect(polled.map(({ kind }) => kind)).toEqual(["booking_number"]);
    expect(await setup.rows("SELECT id FROM shipments WHERE normalized_number = 'AGAIN1'")).toHaveLength(1);
  });

  test("gives the shipment its customer where it has none, and keeps one that a member chose", async () => {
    const [first, second] = [await addParty("ACME"), await addParty("Other Ltd.")];
    setup.line.answer("CUSTOMER1", voyage());
    const { shipment_id: shipmentId } = await requestRow(await requestStopped("CUSTOMER1"));
    const subscribed = await setup.subscribe(["tracking_request.succeeded"]);
    const again = await requestStopped("CUSTOMER1", first);
    const shipmentOf = () => setup.row("SELECT * FROM shipments WHERE id = $1", shipmentId);
    expect(await shipmentOf()).toMatchObject({ customer_id: first });
    const [notified] = await notificationsOf(again);
    expect(JSON.parse(notified?.included ?? "[]")).toContainEqual(
      expect.objectContaining({ attributes: expect.objectContaining({ customer_name: "ACME" }), type: "shipment" }),
    );
    await setup.rows("DELETE FROM webhooks WHERE id = $1", subscribed);
    await requestStopped("CUSTOMER1", second);
    expect(await shipmentOf()).toMatchObject({ customer_id: first });
  });
});

async function addParty(name: string): Promise<string> {
  const id = uuidV7.next();
  await setup.rows(
    "INSERT INTO parties (account_id, id, company_name, created_at, updated_at) VALUES ($1, $2, $3, now(), now())",
    setup.accountId,
    id,
    name,
  );
  return id;
}

/** A request whose shipment is created or adopted, and stopped. */
async function requestStopped(number: string, customerId?: string): Promise<string> {
  const id = await setup.request(number, customerId === undefined ? {} : { customerId });
  await setup.pollDue();
  const { shipment_id: shipmentId } = await requestRow(id);
  const change = { now: setup.clock.now(), ifVersions: null, userId: null };
  await stopTracking(setup.database.sql, setup.accountId, shipmentId ?? "", change);
  return id;
}
