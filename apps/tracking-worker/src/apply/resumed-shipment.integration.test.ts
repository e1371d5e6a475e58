import { beforeEach, describe, expect, test } from "@jest/globals";
import { dayMs } from "@svc/domain";
import { resumeTracking, stopTracking } from "@svc/persistence/shipments";
import { requeueStrandedSubjects } from "@svc/persistence/tracking";
import { started } from "@svc/testkit/started";
import { containerMove, voyage } from "../testing/dcsa-carrier.ts";
import { type RequestOptions, setUpTracking } from "../testing/tracking-setup.ts";

const setup = started(setUpTracking);
beforeEach(() => setup.reset());

const requestRow = (id: string) =>
  setup.row<{ status: string; shipment_id: string | null }>("SELECT * FROM tracking_requests WHERE id = $1", id);
const shipmentRow = (id: string) => setup.row("SELECT * FROM shipments WHERE id = $1", id);
const nextPollOf = async (number: string) =>
  (await setup.row<{ at: string | null }>("SELECT next_poll_at AS at FROM tracking_subjects WHERE number = $1", number))
    .at;
const succeeded = (requestId: string) =>
  setup.rows(
    "SELECT id FROM notification_events WHERE reference_id = $1 AND event = 'tracking_request.succeeded'",
    requestId,
  );

const replyOf = (number: string, { requestType }: RequestOptions) =>
  voyage(requestType === "container" ? [number] : undefined);

/** A shipment whose tracking is stopped; its number is requested again, and it is resumed before the next poll. */
async function resumedWhilePending(number: string, options: RequestOptions = {}) {
  setup.line.answer(number, replyOf(number, options));
  const { shipment_id } = await requestRow(await trackedBy(number, { ...options, refNumbers: ["A"] }));
  const shipmentId = shipment_id ?? "";
  const change = { now: setup.clock.now(), ifVersions: null };
  await stopTracking(setup.database.sql, setup.accountId, shipmentId, { ...change, userId: null });
  const pending = await setup.request(number, options);
  const resumed = setup.database.transaction((sql) => resumeTracking(sql, setup.accountId, shipmentId, change));
  expect(await resumed).toBe(true);
  return { shipmentId, pending };
}

async function trackedBy(number: string, options: RequestOptions): Promise<string> {
  const id = await setup.request(number, options);
  await setup.pollDue();
  return id;
}

describe("a request that waits while the shipment of its number is resumed", () => {
  test.each(["the same reply", "a reply with another event"])("gets that shipment with %s", async (what) => {
    const number = what === "the same reply" ? "RESUMED1" : "RESUMED2";
    await setup.subscribe(["tracking_request.*", "container.*"]);
    const options = { refNumbers: ["B"], shipmentTags: ["urgent"] };
    const { shipmentId, pending } = await resumedWhilePending(number, options);
    if (number === "RESUMED2")
      setup.line.answer(number, [
        ...voyage(),
        containerMove("DISC", "MSKU0000006", "NLRTM", "2026-01-09T18:00:00+01:00"),
      ]);
    await setup.pollDue();
    expect(await requestRow(pending)).toMatchObject({ status: "created", shipment_id: shipmentId });
    expect(await succeeded(pending)).toHaveLength(1);
    expect(await shipmentRow(shipmentId)).toMatchObject({ ref_numbers: ["A", "B"], tags: ["urgent"] });
    expect(await nextPollOf(number)).not.toBeNull();
    const discharged = await setup.rows(
      "SELECT id FROM notification_events WHERE event = 'container.transport.vessel_discharged' AND account_id = $1",
      setup.accountId,
    );
    expect(discharged).toHaveLength(number === "RESUMED2" ? 1 : 0);
    await setup.pollDue();
    expect(await succeeded(pending)).toHaveLength(1);
  });

  test.each(["bill_of_lading", "container"] as const)(
    "leaves the shipment its schedule when the carrier does not know the number: %s",
    async (requestType) => {
      const number = requestType === "container" ? "MSKU0000032" : "RESUMED3";
      const { shipmentId, pending } = await resumedWhilePending(number, { requestType });
      setup.line.answer(number, { status: 404 });
      await setup.pollDue();
      const status = requestType === "container" ? "failed" : "awaiting_manifest";
      expect(await requestRow(pending)).toMatchObject({ status });
      expect(await shipmentRow(shipmentId)).toMatchObject({ line_tracking_stopped_at: null });
      expect(await nextPollOf(number)).toMatch(/^2026-01-10/u);
      setup.line.answer(number, replyOf(number, { requestType }));
      setup.clock.advance(dayMs);
      const polled = setup.line.requestCount(number);
      await setup.pollDue();
      expect(setup.line.requestCount(number)).toBe(polled + 1);
      if (requestType === "bill_of_lading")
        expect(await requestRow(pending)).toMatchObject({ status: "created", shipment_id: shipmentId });
    },
  );

  test("ends with the shipment when a member stops it before the next poll", async () => {
    const number = "RESUMED4";
    const { shipmentId, pending } = await resumedWhilePending(number);
    const change = { now: setup.clock.now(), ifVersions: null, userId: null };
    const stopped = await stopTracking(setup.database.sql, setup.accountId, shipmentId, change);
    expect(stopped?.map(({ id, status }) => [id, status])).toContainEqual([pending, "tracking_stopped"]);
    await requeueStrandedSubjects(setup.database.sql, setup.clock.now(), 100);
    await setup.pollDue();
    expect(await requestRow(pending)).toMatchObject({ status: "tracking_stopped", shipment_id: shipmentId });
    expect(await shipmentRow(shipmentId)).toMatchObject({ line_tracking_stopped_reason: "cancelled_by_user" });
  });
});
