import { describe, expect, test } from "@jest/globals";
import { addMs, dayMs, hourMs, instant } from "../instant.ts";
import { daysPast, delayDays, type JourneyArrivals, overdueDays, placeDelayDays } from "./arrival-delay.ts";

const now = instant("2026-06-10T12:00:00.000Z");
const inDays = (days: number) => addMs(now, days * dayMs);

const timeZone = "UTC";
const unknown = { etaAt: null, originalEtaAt: null, ataAt: null, timeZone };
const arrivals = (changes: Partial<JourneyArrivals>): JourneyArrivals => ({
  port: unknown,
  destination: unknown,
  isAwaited: true,
  ...changes,
});
const place = (eta: number, original: number | null = null, ata: number | null = null) => ({
  etaAt: inDays(eta),
  originalEtaAt: original === null ? null : inDays(original),
  ataAt: ata === null ? null : inDays(ata),
  timeZone,
});

test("an estimate has passed after a day", () => {
  expect([-hourMs, 23 * hourMs, dayMs, 3.9 * dayMs].map((ms) => daysPast(addMs(now, -ms), now))).toEqual([
    null,
    null,
    1,
    3,
  ]);
});

describe("the delay of an arrival", () => {
  test.each<[name: string, arrivals: Partial<JourneyArrivals>, overdue: number | null, delay: number | null]>([
    ["is not known without an estimate", {}, null, null],
    ["is not known without a first estimate", { port: place(4) }, null, null],
    ["is counted between estimates", { port: place(4, 1) }, null, 3],
    ["is negative when it is earlier", { port: place(1, 4) }, null, -3],
    ["ends with the arrival", { port: place(-9, -10, -8) }, null, 2],
    ["is no less than the days an unchanged estimate passed", { port: place(-4.5, -4.5) }, 4, 4],
    ["counts from the estimate without a first one", { port: place(-4.5) }, 4, 4],
    ["adds the days that passed to those of the estimates", { port: place(-4.5, -7.5) }, 4, 7],
    ["grows with the local date", { port: place(-1.1, -2.7) }, 1, 3],
    ["of an estimate that was earlier begins at the first one", { port: place(-5, -2.5) }, 5, 2],
    ["does not grow without anyone to report it", { port: place(-4.5, -4.5), isAwaited: false }, null, 0],
    ["is not overdue on the day of the estimate", { port: place(-0.5, -0.5) }, null, 0],
    ["is that of the destination inland", { port: place(-9, -10, -8), destination: place(5, 1) }, null, 4],
    ["includes an overdue port", { port: place(-4.5, -6.5), destination: place(5, 5) }, 4, 6],
    ["includes an overdue destination", { port: place(-9, -9, -9), destination: place(-3.5, -4.5) }, 3, 4],
    ["is overdue inland where no port is estimated", { destination: place(-3.5) }, 3, 3],
    ["ends with the arrival inland", { port: place(-9, -9), destination: place(-5, -5, -4) }, null, 1],
  ])("%s", (_name, changes, overdue, delay) => {
    const arrival = arrivals(changes);
    expect([overdueDays(arrival, now), delayDays(arrival, now)]).toEqual([overdue, delay]);
  });

  test("is the difference of the local dates", () => {
    // 23:00 and, 25 hours later, 00:00 in Tokyo; 07:00 and 08:00 in Los Angeles.
    const [originalEtaAt, etaAt] = [instant("2026-06-15T14:00:00Z"), instant("2026-06-16T15:00:00Z")];
    const at = (zone: string) =>
      placeDelayDays({ originalEtaAt, etaAt, ataAt: null, timeZone: zone, isAwaited: true }, now);
    expect([at("Asia/Tokyo"), at("America/Los_Angeles")]).toEqual([2, 1]);
  });

  test("follows the same rule for one place", () => {
    expect(placeDelayDays({ ...place(-4.5, -7.5), isAwaited: true }, now)).toBe(7);
    expect(placeDelayDays({ ...place(-4.5, -7.5), isAwaited: false }, now)).toBe(3);
  });
});
