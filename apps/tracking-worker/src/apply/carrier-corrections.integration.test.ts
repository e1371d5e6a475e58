import { beforeEach, describe, expect, test } from "@jest/globals";
import { hourMs, minuteMs } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { containerMove, vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { notificationsAfterCreation, pollAgain, track } from "../testing/tracked-number.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";

const setup = started(setUpTracking);
beforeEach(() => setup.reset());

describe("corrections of a carrier", () => {
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
    const { accountId } = await track(setup, "CORR1");
    const corrected = events.map((event) =>
      event.transportEventTypeCode === "DEPA"
        ? { ...event, eventDateTime: "2026-01-06T17:00:00+08:00", eventCreatedDateTime: "2026-01-08T00:00:00Z" }
        : event,
    );
    setup.line.answer("CORR1", corrected);
    await pollAgain(setup, "CORR1");
    const [old, now, ...more] = await milestones(accountId);
    expect(more).toEqual([]);
    expect(old).toMatchObject({ occurred_at: "2026-01-06T02:00:00.000Z", invalidation_reason: "corrected" });
    expect(now).toMatchObject({ occurred_at: "2026-01-06T09:00:00.000Z", invalidation_reason: null });
    expect(now?.previous_version_id).toBe(old?.id);
    const notified = await notificationsAfterCreation(setup, accountId);
    expect(notified.map(({ event, reference_id }) => [event, reference_id])).toEqual([
      ["container.transport.vessel_departed", now?.id],
    ]);
  });

  test("an event is withdrawn when two replies half an hour apart lack it, and can return", async () => {
    const events = voyage();
    const without = events.filter((event) => event.transportEventTypeCode !== "DEPA");
    setup.line.answer("GONE1", events);
    const { accountId } = await track(setup, "GONE1");
    const live = async () => (await milestones(accountId)).filter((row) => row.invalidation_reason === null).length;
    setup.line.answer("GONE1", without);
    await pollAgain(setup, "GONE1");
    expect(await live()).toBe(1);
    setup.clock.advance(10 * minuteMs);
    await pollAgain(setup, "GONE1");
    expect(await live()).toBe(1);
    setup.clock.advance(20 * minuteMs);
    await pollAgain(setup, "GONE1");
    expect(await live()).toBe(0);
    setup.clock.advance(hourMs);
    setup.line.answer("GONE1", events);
    await pollAgain(setup, "GONE1");
    expect(await live()).toBe(1);
  });

  test("an event that returns in the next reply is not withdrawn", async () => {
    const events = voyage();
    setup.line.answer("FLAP1", events);
    const { accountId } = await track(setup, "FLAP1");
    const before = await milestones(accountId);
    setup.line.answer(
      "FLAP1",
      events.filter((event) => event.transportEventTypeCode !== "DEPA"),
    );
    await pollAgain(setup, "FLAP1");
    setup.clock.advance(2 * hourMs);
    setup.line.answer("FLAP1", events);
    await pollAgain(setup, "FLAP1");
    setup.clock.advance(2 * hourMs);
    await pollAgain(setup, "FLAP1");
    expect(await milestones(accountId)).toEqual(before);
  });

  test("an actual event that is reported in advance takes effect at its time", async () => {
    const departure = new Date(Date.parse(setup.clock.now()) + 5 * hourMs).toISOString();
    const events = [
      containerMove("LOAD", "MSKU0000006", "CNSHA", "2026-01-05T08:00:00+08:00"),
      vesselMove("DEPA", "CNSHA", departure, "ACT"),
      vesselMove("ARRI", "NLRTM", "2026-03-20T06:00:00+01:00", "EST"),
    ];
    setup.line.answer("AHEAD1", events);
    const { accountId } = await track(setup, "AHEAD1");
    expect(await milestones(accountId)).toEqual([]);
    setup.clock.advance(5 * hourMs);
    await pollAgain(setup, "AHEAD1");
    expect((await milestones(accountId)).map(({ occurred_at }) => occurred_at)).toEqual([departure]);
  });
});
