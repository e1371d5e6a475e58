import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { addMs, dayMs, hourMs, minuteMs } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { applyMessage } from "../apply/apply-message.ts";
import { containerMove, vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { pushOf, sendMessage } from "../testing/send-message.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";

let accountId: string;
const setup = started(setUpTracking);
beforeAll(async () => {
  // Jitter must not change the time of a scheduled poll.
  Object.assign(setup.context, { random: () => 0.999 });
});
beforeEach(async () => {
  await setup.reset();
  accountId = await setup.newAccount();
});

const push = (text: string) => sendMessage(setup, { accountId, channel: "push", text });
const nextPollOf = async (number: string): Promise<string | null> =>
  (
    await setup.row<{ next: string | null }>(
      "SELECT next_poll_at AS next FROM tracking_subjects WHERE account_id = $1 AND number = $2",
      accountId,
      number,
    )
  ).next;
const count = async (table: "raw_replies" | "observations"): Promise<number> =>
  (await setup.row<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE account_id = $1`, accountId))
    .count;
const arrival = (minute: number) =>
  vesselMove("ARRI", "NLRTM", `2026-02-02T06:${String(minute).padStart(2, "0")}:00+01:00`, "EST");

async function track(number: string): Promise<string> {
  setup.line.answer(number, voyage());
  await setup.request(number, { accountId });
  await setup.pollDue();
  const next = await nextPollOf(number);
  if (next === null) throw new Error(`${number} is not polled.`);
  return next;
}

describe("the next poll of a tracked shipment", () => {
  test("stays the same after a hundred messages without changes", async () => {
    const before = await track("KEEP1");
    for (let n = 0; n < 100; n++) {
      setup.clock.advance(minuteMs);
      await push(`${" ".repeat(n)}${pushOf("KEEP1", voyage().slice(0, 2))}`);
    }
    expect(await nextPollOf("KEEP1")).toBe(before);
  });

  test("stays the same after messages with changes", async () => {
    const before = await track("KEEP2");
    for (let n = 0; n < 5; n++) {
      setup.clock.advance(hourMs);
      expect(await push(pushOf("KEEP2", [arrival(n)]))).toMatchObject({ new_fact_count: 1 });
    }
    expect(await nextPollOf("KEEP2")).toBe(before);
  });

  test("stays the same after imports", async () => {
    const before = await track("KEEP3");
    setup.clock.advance(hourMs);
    const row = "MAEU,KEEP3,INSP,ACT,2026-01-09T08:00:00Z,MSKU0000006";
    const text = `scac,number,event_code,classifier,event_time,container_number\n${row}`;
    expect(await sendMessage(setup, { accountId, channel: "import", text, form: "csv" })).toMatchObject({
      new_fact_count: 1,
    });
    expect(await nextPollOf("KEEP3")).toBe(before);
  });

  test("stays the same when the message creates the shipment", async () => {
    await setup.request("KEEP4", { accountId });
    const before = await nextPollOf("KEEP4");
    await push(pushOf("KEEP4", voyage()));
    expect(await setup.rows("SELECT id FROM shipments WHERE account_id = $1", accountId)).toHaveLength(1);
    expect(await nextPollOf("KEEP4")).toBe(before);
  });
});

test("a message without changes stores nothing", async () => {
  const events = voyage();
  setup.line.answer("SAME1", events);
  await setup.request("SAME1", { accountId });
  await setup.pollDue();
  const estimate = arrival(30);
  await push(pushOf("SAME1", [estimate]));
  const before = [await count("raw_replies"), await count("observations")];
  for (let n = 1; n <= 10; n++) {
    const again = pushOf("SAME1", [{ ...estimate, eventID: `again-${n}` }]);
    expect(await push(again)).toMatchObject({ applied_count: 1, new_fact_count: 0 });
  }
  await push(pushOf("SAME1", events.toReversed()));
  expect([await count("raw_replies"), await count("observations")]).toEqual(before);
});

describe("a request that is created while a message is processed", () => {
  test("is polled: the events do not end its schedule", async () => {
    const request = await setup.request("LATE1", { accountId });
    setup.line.answer("LATE1", { status: 404 });
    const { subject } = await setup.row<{ subject: string }>(
      "SELECT subject_id AS subject FROM tracking_requests WHERE id = $1",
      request,
    );
    await setup.rows("UPDATE tracking_requests SET status = 'failed' WHERE id = $1", request);
    await setup.rows("UPDATE tracking_subjects SET next_poll_at = NULL WHERE id = $1", subject);
    await setup.request("LATE1", { accountId });
    const message = { channel: "push", url: "push:1", body: Buffer.from("[]"), drafts: [] } as const;
    const hashes = { contentHash: Buffer.alloc(32), gzippedBody: Buffer.alloc(0) };
    const received = new Map([[subject, { ...message, ...hashes }]]);
    await applyMessage(setup.context, accountId, received, { owner: "processor", leaseMs: 10_000 });
    expect(await nextPollOf("LATE1")).toBe(setup.clock.now());
  });
});

describe("a shipment that the carrier no longer knows", () => {
  test("stays tracked while pushes report changes", async () => {
    await track("GONE1");
    setup.line.answer("GONE1", { status: 404 });
    for (let days = 0; days < 30; days++) {
      setup.clock.advance(dayMs);
      await setup.rows(
        "UPDATE tracking_subjects SET next_poll_at = $2 WHERE account_id = $1",
        accountId,
        setup.clock.now(),
      );
      await setup.pollDue();
      if (days % 7 === 0) {
        const at = addMs(setup.clock.now(), -hourMs);
        await push(
          pushOf("GONE1", [{ ...containerMove("LOAD", "MSKU0000006", "CNSHA", at), equipmentEventTypeCode: "INSP" }]),
        );
      }
    }
    const { stopped } = await setup.row<{ stopped: string | null }>(
      "SELECT line_tracking_stopped_at AS stopped FROM shipments WHERE account_id = $1",
      accountId,
    );
    expect(stopped).toBeNull();
  });
});
