import { expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { pushOf, startMessages, storeMessage } from "../testing/send-message.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";

const shipments = 500;
const eventsPerNumber = 20;

const setup = started(setUpTracking);

async function track(accountId: string, number: string): Promise<void> {
  setup.line.answer(number, voyage());
  await setup.request(number, { accountId });
}

const arrivals = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    vesselMove("ARRI", "NLRTM", new Date(Date.UTC(2026, 1, 2, 0, n)).toISOString(), "EST"),
  );

async function processedAfterMs(id: string): Promise<number> {
  const startedMs = performance.now();
  await eventually(
    "the message is processed",
    async () => (await setup.rows("SELECT id FROM event_messages WHERE id = $1 AND due_at IS NULL", id)).length === 1,
    120_000,
  );
  return performance.now() - startedMs;
}

test("a push of 10,000 events is applied, and events of other accounts are processed before it", async () => {
  const [busy, other] = [await setup.newAccount(), await setup.newAccount()];
  for (let n = 0; n < shipments; n++) await track(busy, `BULK${n}`);
  for (let n = 0; n < 5; n++) await track(other, `ONE${n}`);
  while ((await setup.pollDue()) > 0);
  const events = Array.from({ length: shipments }, (_, n) => JSON.parse(pushOf(`BULK${n}`, arrivals(eventsPerNumber))));
  const messages = startMessages(setup);
  const eventDelayMs = async (number: string, minutes: number): Promise<number> => {
    const text = pushOf(number, arrivals(minutes).slice(-1));
    const id = await storeMessage(setup, { accountId: other, channel: "push", text });
    messages.wake();
    return processedAfterMs(id);
  };
  try {
    const quiet: number[] = [];
    for (let n = 0; n < 5; n++) quiet.push(await eventDelayMs(`ONE${n}`, 1));
    const bulk = await storeMessage(setup, { accountId: busy, channel: "push", text: JSON.stringify(events.flat()) });
    messages.wake();
    const bulkDone = processedAfterMs(bulk);
    const delays: number[] = [];
    for (let n = 0; n < 5; n++) delays.push(await eventDelayMs(`ONE${n}`, 2));
    const bulkMs = await bulkDone;
    const formatted = [quiet, delays].map((times) => times.map(Math.round).join(", "));
    process.stdout.write(
      `10,000 events: ${Math.round(bulkMs)} ms; one event: ${formatted.join(" ms, meanwhile ")} ms\n`,
    );
    const counts = await setup.row<object>(
      "SELECT applied_count, new_fact_count FROM event_messages WHERE id = $1",
      bulk,
    );
    expect(counts).toEqual({ applied_count: 10_000, new_fact_count: 10_000 });
    expect(Math.max(...delays)).toBeLessThan(bulkMs);
  } finally {
    await messages.stop();
  }
}, 300_000);
