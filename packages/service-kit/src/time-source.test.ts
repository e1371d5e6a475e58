import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createLogger } from "./logger.ts";
import { followClock, type TimeSource } from "./time-source.ts";

const noon = Date.parse("2026-03-01T12:00:00Z");
const hourMs = 3_600_000;
const logger = createLogger({ service: "test", level: "silent" });

describe("the followed clock", () => {
  let clockState: { now: number; scale: number; paused: boolean };
  let requestCount: number;
  let server: Server;
  let time: TimeSource | undefined;

  beforeEach(async () => {
    clockState = { now: noon, scale: 1_440, paused: true };
    requestCount = 0;
    server = createServer((_request, response) => {
      requestCount++;
      response.end(JSON.stringify({ ...clockState, revision: 1, now: new Date(clockState.now).toISOString() }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(async () => {
    time?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const follow = async (onChanged?: () => void): Promise<TimeSource> => {
    time = await followClock(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, logger, onChanged);
    return time;
  };

  /** Resolves when a reading that started after this call has arrived. */
  const readAgain = async (): Promise<void> => {
    const readings = requestCount;
    while (requestCount < readings + 3) await sleep(10);
  };

  test("stops while it is paused, and never runs backwards", async () => {
    const followed = await follow();
    expect([followed.nowMs(), followed.scale()]).toEqual([noon, 0]);
    clockState = { ...clockState, now: noon + hourMs };
    await readAgain();
    expect(followed.nowMs()).toBe(noon + hourMs);
    clockState = { ...clockState, now: noon };
    await readAgain();
    expect(followed.nowMs()).toBe(noon + hourMs);
  });

  test("reports that the clock was set, as soon as a reading shows it", async () => {
    const { promise: changed, resolve: reportChange } = Promise.withResolvers<void>();
    let isExpected = false;
    const followed = await follow(() => {
      if (isExpected) reportChange();
    });
    isExpected = true;
    clockState = { ...clockState, now: noon + hourMs };
    await changed;
    expect(followed.nowMs()).toBe(noon + hourMs);
  });

  test("reports that the clock started to run", async () => {
    const { promise: changed, resolve: reportChange } = Promise.withResolvers<void>();
    let isExpected = false;
    const followed = await follow(() => {
      if (isExpected) reportChange();
    });
    isExpected = true;
    clockState = { ...clockState, paused: false };
    await changed;
    expect(followed.scale()).toBe(1_440);
  });
});
