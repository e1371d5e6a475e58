import { expect, test } from "@jest/globals";
import { createLogger } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { voyage } from "../testing/dcsa-carrier.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";
import { startRequeue } from "./requeue-stranded.ts";

const setup = started(setUpTracking);

test("makes a waiting request without a scheduled poll due, and no other subject", async () => {
  const numbers = ["LOST1", "LEASED1", "SETTLED1", "LATER1"];
  for (const number of numbers) await setup.request(number);
  setup.line.answer("LOST1", voyage());
  await setup.rows("UPDATE tracking_subjects SET next_poll_at = NULL WHERE number <> 'LATER1'");
  await setup.rows("UPDATE tracking_subjects SET next_poll_at = '2030-01-01' WHERE number = 'LATER1'");
  await setup.rows("UPDATE tracking_subjects SET lease_until = now() + interval '1 hour' WHERE number = 'LEASED1'");
  await setup.rows("UPDATE tracking_requests SET status = 'failed' WHERE normalized_number = 'SETTLED1'");
  const logger = createLogger({ service: "test", level: "silent" });
  const { metrics } = setup.poller;
  const requeue = startRequeue({ sql: setup.database.sql, clock: setup.clock, metrics, logger, intervalMs: 20 });
  const nextPolls = async () => {
    const rows = await setup.rows<{ number: string; next: string | null }>(
      "SELECT number, next_poll_at AS next FROM tracking_subjects",
    );
    return Object.fromEntries(rows.map(({ number, next }) => [number, next]));
  };
  await eventually("it is due", async () => (await nextPolls()).LOST1 !== null);
  await requeue.stop();
  const later = "2030-01-01T00:00:00.000Z";
  expect(await nextPolls()).toEqual({ LOST1: setup.clock.now(), LEASED1: null, SETTLED1: null, LATER1: later });
  expect((await metrics.strandedRequests.get()).values[0]?.value).toBe(1);
  await setup.pollDue();
  expect(await setup.row("SELECT status FROM tracking_requests WHERE normalized_number = 'LOST1'")).toEqual({
    status: "created",
  });
});
