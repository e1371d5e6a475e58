import { describe, expect, test } from "@jest/globals";
import { dayMs, hourMs, minuteMs } from "../instant.ts";
import { manifestPollInterval, trackingRetryDelay, trackingTries } from "./retry-delay.ts";

describe("tries of a tracking request", () => {
  test("fourteen tries lie within about 24 hours", () => {
    const delays = Array.from({ length: trackingTries }, (_, index) => trackingRetryDelay(index + 1));
    const total = delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0);
    expect(delays.slice(0, 3)).toEqual([12 * minuteMs, 18 * minuteMs, 27 * minuteMs]);
    expect(delays.at(-2)).toBe(3 * hourMs);
    expect(delays.at(-1)).toBeNull();
    expect(total).toBeGreaterThan(23 * hourMs);
    expect(total).toBeLessThan(25 * hourMs);
  });
  test("delays never shrink", () => {
    for (let tries = 1; tries < trackingTries - 1; tries++) {
      expect(trackingRetryDelay(tries + 1)).toBeGreaterThanOrEqual(trackingRetryDelay(tries) ?? 0);
    }
  });
  test("the number of tries can be set", () => {
    expect(trackingRetryDelay(3, 3)).toBeNull();
    expect(trackingRetryDelay(2, 3)).not.toBeNull();
  });
});

describe("numbers that the carrier does not know yet", () => {
  test("are polled every six hours for two days, then daily for the rest of the week", () => {
    let elapsed = 0;
    let polls = 0;
    while (elapsed < 7 * dayMs) elapsed += manifestPollInterval(++polls);
    expect(manifestPollInterval(8)).toBe(6 * hourMs);
    expect(manifestPollInterval(9)).toBe(24 * hourMs);
    expect(polls).toBe(13);
  });
});
