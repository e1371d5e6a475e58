import { expect, test } from "@jest/globals";
import { createLogger } from "./logger.ts";
import { startWhenReady } from "./start-when-ready.ts";

/** A check that fails so many times, and loops that count their starts and stops. */
function rig(failures: number) {
  const events: string[] = [];
  let left = failures;
  const check = async () => {
    left -= 1;
    if (left >= 0) throw new Error("no database");
  };
  const start = async () => {
    events.push("started");
    return { stop: async () => void events.push("stopped") };
  };
  const lines: string[] = [];
  const logger = createLogger({ service: "test", destination: { write: (line: string) => void lines.push(line) } });
  return { events, lines, check, begin: () => startWhenReady(check, start, logger) };
}

test("starts at once when the check succeeds", async () => {
  const { events, lines, begin } = rig(0);
  const loops = await begin();
  expect(events).toEqual(["started"]);
  await loops.stop();
  expect(events).toEqual(["started", "stopped"]);
  expect(lines).toEqual([]);
});

test("starts later when the check succeeds later, and says why it waits", async () => {
  const { events, lines, begin } = rig(2);
  const loops = await begin();
  expect(events).toEqual([]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: "service.waiting", err: { message: "no database" } },
  ]);
  while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  await loops.stop();
  expect(events).toEqual(["started", "stopped"]);
});

test("starts nothing once it is stopped", async () => {
  const { events, begin } = rig(1);
  const loops = await begin();
  await loops.stop();
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(events).toEqual([]);
});
