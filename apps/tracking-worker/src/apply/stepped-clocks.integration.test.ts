import { beforeEach, describe, expect, test } from "@jest/globals";
import { CarrierConnection, createStoredReplyReader } from "@svc/carriers";
import { dayMs, minuteMs } from "@svc/domain";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { type Difference, verify } from "@svc/replay";
import { started } from "@svc/testkit/started";
import { voyage } from "../testing/dcsa-carrier.ts";
import { pollAgain, track } from "../testing/tracked-number.ts";
import { carrierScac, setUpTracking } from "../testing/tracking-setup.ts";

const setup = started(setUpTracking);
beforeEach(() => setup.reset());

const departingAt = (eventDateTime: string) =>
  voyage().map((event) =>
    event.transportEventTypeCode === "DEPA"
      ? { ...event, eventDateTime, eventCreatedDateTime: "2026-01-08T00:00:00Z" }
      : event,
  );

async function differencesOf(subject: string): Promise<Difference[]> {
  const places = await loadPlaceDirectory(setup.database.sql);
  const line = { scac: carrierScac, protocol: "dcsa-2.2", baseUrl: setup.line.baseUrl };
  const read = createStoredReplyReader([CarrierConnection.parse(line)], places);
  const differences: Difference[] = [];
  await verify(setup.database, { subject }, { read, places }, (difference) => differences.push(difference));
  return differences;
}

describe("the clock of a worker is ahead and set back", () => {
  const replies = () =>
    setup.rows<{ id: string; received_at: string }>(
      `SELECT r.id, r.received_at FROM raw_replies r JOIN observations o ON o.raw_reply_id = r.id
       GROUP BY r.account_id, r.id ORDER BY max(o.id::text)`,
    );
  const sorted = (values: readonly string[]) => values.toSorted();

  test("later replies of the subject are not dated before earlier ones", async () => {
    setup.line.answer("CLOCK1", voyage());
    await track(setup, "CLOCK1");
    setup.clock.advance(30 * minuteMs);
    setup.line.answer("CLOCK1", departingAt("2026-01-06T17:00:00+08:00"));
    await pollAgain(setup, "CLOCK1");
    setup.clock.advance(-29 * minuteMs);
    setup.line.answer("CLOCK1", departingAt("2026-01-06T18:00:00+08:00"));
    await pollAgain(setup, "CLOCK1");
    const times = (await replies()).map(({ received_at }) => received_at);
    expect(times).toHaveLength(3);
    expect(times).toEqual(sorted(times));
    expect(await differencesOf("CLOCK1")).toEqual([]);
  });

  test("the time of an erroneous clock is not taken over", async () => {
    setup.line.answer("CLOCK2", voyage());
    await track(setup, "CLOCK2");
    await setup.rows("UPDATE tracking_subjects SET last_changed_at = $1", "2036-01-01T00:00:00Z");
    setup.clock.advance(dayMs);
    setup.line.answer("CLOCK2", departingAt("2026-01-06T17:00:00+08:00"));
    await pollAgain(setup, "CLOCK2");
    const [{ last_changed_at } = {}] = await setup.rows<{ last_changed_at?: string }>(
      "SELECT last_changed_at FROM tracking_subjects WHERE number = 'CLOCK2'",
    );
    expect(last_changed_at).toBe(setup.clock.now());
  });

  test("the ids of replies follow their order, so that replay reads them in that order", async () => {
    setup.line.answer("CLOCK3", voyage());
    await track(setup, "CLOCK3");
    const ahead = "fffffff0-0000-7000-8000-000000000001";
    await setup.rows(
      `WITH reply AS (UPDATE raw_replies SET id = $1 WHERE subject_id = (
         SELECT id FROM tracking_subjects WHERE number = 'CLOCK3') RETURNING subject_id)
       UPDATE observations o SET raw_reply_id = $1 FROM reply WHERE o.subject_id = reply.subject_id`,
      ahead,
    );
    for (const hour of [17, 18]) {
      setup.clock.advance(minuteMs);
      setup.line.answer("CLOCK3", departingAt(`2026-01-06T${hour}:00:00+08:00`));
      await pollAgain(setup, "CLOCK3");
    }
    const ids = await setup.rows<{ id: string }>(
      "SELECT id FROM raw_replies WHERE id >= $1 ORDER BY received_at",
      ahead,
    );
    expect(ids.map(({ id }) => id)).toEqual([
      ahead,
      "fffffff0-0000-7000-8000-000000000002",
      "fffffff0-0000-7000-8000-000000000003",
    ]);
    expect(await differencesOf("CLOCK3")).toEqual([]);
  });
});
