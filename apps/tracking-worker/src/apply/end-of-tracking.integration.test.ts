import { beforeEach, describe, expect, test } from "@jest/globals";
import { dayMs, hourMs, minuteMs } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { bookingDecision, containerMove, gateMove, vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { includedIn, notificationsAfterCreation, pollAgain, track } from "../testing/tracked-number.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";

const setup = started(setUpTracking);
beforeEach(() => setup.reset());

describe("the end of tracking", () => {
  const stopReason = (shipmentId: string) =>
    setup.row<{ reason: string | null; status: string; next_poll_at: string | null }>(
      `SELECT s.line_tracking_stopped_reason AS reason, r.status, x.next_poll_at
       FROM shipments s JOIN tracking_subjects x ON x.id = s.subject_id JOIN tracking_requests r ON r.shipment_id = s.id
       WHERE s.id = $1`,
      shipmentId,
    );

  test("56 days without updates stop the shipment and its request, with a notification", async () => {
    setup.line.answer("SILENT1", voyage());
    const { accountId, shipmentId } = await track(setup, "SILENT1");
    setup.clock.advance(55 * dayMs);
    await pollAgain(setup, "SILENT1");
    expect((await stopReason(shipmentId)).reason).toBeNull();
    setup.clock.advance(dayMs);
    await pollAgain(setup, "SILENT1");
    expect(await stopReason(shipmentId)).toEqual({
      reason: "no_updates_at_line",
      status: "tracking_stopped",
      next_poll_at: null,
    });
    const [notified] = await notificationsAfterCreation(setup, accountId);
    expect(notified?.event).toBe("tracking_request.tracking_stopped");
    expect(includedIn(notified!).map(({ type }) => type)).toEqual(["tracking_request", "shipment"]);
    expect(includedIn(notified!)[1]?.attributes.line_tracking_stopped_reason).toBe("no_updates_at_line");
  });

  test("a number that the carrier no longer knows stops after 14 days; outages do not count", async () => {
    setup.line.answer("LOST1", voyage());
    const { shipmentId } = await track(setup, "LOST1");
    setup.line.answer("LOST1", { status: 503 });
    for (let days = 0; days < 20; days++) {
      setup.clock.advance(dayMs);
      await pollAgain(setup, "LOST1");
    }
    setup.line.answer("LOST1", { status: 404 });
    // The circuit breaker that the outage opened blocks polls until then.
    setup.clock.advance(hourMs);
    for (let days = 0; days < 14; days++) {
      await pollAgain(setup, "LOST1");
      expect((await stopReason(shipmentId)).reason).toBeNull();
      setup.clock.advance(dayMs);
    }
    await pollAgain(setup, "LOST1");
    expect((await stopReason(shipmentId)).reason).toBe("no_updates_at_line");
  });

  test("a booking that was cancelled six hours ago stops", async () => {
    const plan = [
      bookingDecision("CONF", "2026-01-02T08:00:00Z"),
      containerMove("LOAD", "MSKU0000006", "CNSHA", "2026-12-05T08:00:00+08:00", "PLN"),
    ];
    setup.line.answer("CANC1", plan);
    const { shipmentId } = await track(setup, "CANC1");
    setup.line.answer("CANC1", [...plan, bookingDecision("VOID", setup.clock.now())]);
    await pollAgain(setup, "CANC1");
    expect((await stopReason(shipmentId)).reason).toBeNull();
    setup.clock.advance(7 * hourMs);
    await pollAgain(setup, "CANC1");
    expect((await stopReason(shipmentId)).reason).toBe("booking_cancelled");
  });

  test("a shipment is picked up and returned with its last container, and no longer with another one", async () => {
    const [one, other, third] = ["MSKU0000006", "MSKU0000011", "MSKU0000027"];
    const pickedUp = (...containers: string[]) =>
      containers.flatMap((container) => [
        containerMove("DISC", container, "NLRTM", "2026-02-01T18:00:00+01:00"),
        gateMove("GTOT", container, "NLRTM", "2026-02-03T09:00:00+01:00"),
      ]);
    const ended = (...containers: string[]) => [
      ...pickedUp(...containers),
      ...containers.map((container) => gateMove("GTIN", container, "NLRTM", "2026-02-07T09:00:00+01:00")),
    ];
    const departed = voyage([one, other]).slice(0, 3);
    const arrived = vesselMove("ARRI", "NLRTM", "2026-02-01T06:00:00+01:00", "ACT");
    setup.line.answer("ENDED1", [...departed, arrived, ...ended(one)]);
    const { shipmentId } = await track(setup, "ENDED1");
    setup.clock.advance(29 * dayMs);
    await pollAgain(setup, "ENDED1");
    const end = () =>
      setup.row(
        'SELECT containers_picked_up AS "pickedUp", containers_returned AS returned FROM shipments WHERE id = $1',
        shipmentId,
      );
    expect(await end()).toEqual({ pickedUp: false, returned: false });
    setup.line.answer("ENDED1", [...departed, arrived, ...ended(one), ...pickedUp(other)]);
    await pollAgain(setup, "ENDED1");
    expect(await end()).toEqual({ pickedUp: true, returned: false });
    setup.line.answer("ENDED1", [...departed, arrived, ...ended(one, other)]);
    await pollAgain(setup, "ENDED1");
    expect(await end()).toEqual({ pickedUp: true, returned: true });
    const added = voyage([third]).slice(0, 1);
    setup.line.answer("ENDED1", [...departed, ...added, arrived, ...ended(one, other)]);
    await pollAgain(setup, "ENDED1");
    expect(await end()).toEqual({ pickedUp: false, returned: false });
  });

  test("before tracking stops, another reply confirms what the last one lacks", async () => {
    const departed = [
      containerMove("LOAD", "MSKU0000006", "CNSHA", "2026-01-05T08:00:00+08:00"),
      vesselMove("DEPA", "CNSHA", "2026-01-06T10:00:00+08:00", "ACT"),
    ];
    setup.line.answer("LATE1", [...departed, vesselMove("ARRI", "NLRTM", "2026-03-20T06:00:00+01:00", "EST")]);
    const { shipmentId } = await track(setup, "LATE1");
    const withdrawn = () =>
      setup.rows(
        `SELECT FROM observations o JOIN shipments s ON s.account_id = o.account_id AND s.subject_id = o.subject_id
        WHERE s.id = $1 AND o.withdrawn_at IS NOT NULL`,
        shipmentId,
      );
    // The carrier returns after a long outage with another arrival, which was so long ago that tracking ends.
    setup.clock.advance(85 * dayMs);
    setup.line.answer("LATE1", [...departed, vesselMove("ARRI", "NLRTM", "2026-02-01T06:00:00+01:00", "ACT")]);
    await pollAgain(setup, "LATE1");
    expect(await stopReason(shipmentId)).toMatchObject({ reason: null, status: "created" });
    expect(await withdrawn()).toHaveLength(0);
    setup.clock.advance(5 * minuteMs);
    await pollAgain(setup, "LATE1");
    expect((await stopReason(shipmentId)).reason).toBeNull();
    setup.clock.advance(30 * minuteMs);
    await setup.pollDue();
    expect(await stopReason(shipmentId)).toMatchObject({ reason: "past_arrival_window", next_poll_at: null });
    expect(await withdrawn()).toHaveLength(1);
  });

  test("a carrier whose replies differ each time does not keep a shipment tracked", async () => {
    const departed = voyage().slice(0, 2);
    const arrived = vesselMove("ARRI", "NLRTM", "2026-02-01T06:00:00+01:00", "ACT");
    const withEstimate = (at: string) =>
      setup.line.answer("VARIES1", [...departed, arrived, vesselMove("DEPA", "NLRTM", at, "EST")]);
    withEstimate("2026-03-15T06:00:00+01:00");
    const { shipmentId } = await track(setup, "VARIES1");
    setup.clock.advance(85 * dayMs);
    withEstimate("2026-03-20T06:00:00+01:00");
    await pollAgain(setup, "VARIES1");
    setup.clock.advance(dayMs);
    withEstimate("2026-03-21T06:00:00+01:00");
    await pollAgain(setup, "VARIES1");
    expect((await stopReason(shipmentId)).reason).toBeNull();
    setup.clock.advance(35 * minuteMs);
    withEstimate("2026-03-22T06:00:00+01:00");
    await setup.pollDue();
    expect((await stopReason(shipmentId)).reason).toBe("past_arrival_window");
  });

  test("a shipment that a user stops during its poll is not polled again", async () => {
    setup.line.answer("USER1", voyage());
    const { shipmentId } = await track(setup, "USER1");
    const release = setup.line.hold();
    const poll = pollAgain(setup, "USER1");
    await setup.rows(
      "UPDATE shipments SET line_tracking_stopped_at = $2, line_tracking_stopped_reason = 'cancelled_by_user' WHERE id = $1",
      shipmentId,
      setup.clock.now(),
    );
    await setup.rows("UPDATE tracking_requests SET status = 'tracking_stopped' WHERE shipment_id = $1", shipmentId);
    release();
    await poll;
    expect(await stopReason(shipmentId)).toEqual({
      reason: "cancelled_by_user",
      status: "tracking_stopped",
      next_poll_at: null,
    });
  });
});
