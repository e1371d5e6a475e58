import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { CarrierConnection, createCarriers, createTerminals, TerminalConnection } from "@svc/carriers";
import { addMs, dayMs, instant, minuteMs } from "@svc/domain";
import { type DcsaCarrier, startDcsaCarrier, voyage } from "../testing/dcsa-carrier.ts";
import { carrierScac, setUpTracking, type TrackingSetup } from "../testing/tracking-setup.ts";

let line: DcsaCarrier;
let setup: TrackingSetup;
let nowMs = Date.UTC(2026, 0, 10);

beforeAll(async () => {
  line = await startDcsaCarrier();
  const clock = {
    now: () => instant(nowMs),
    scale: () => 1,
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
  const carrier = CarrierConnection.parse({ scac: carrierScac, protocol: "dcsa-2.2", baseUrl: line.baseUrl });
  const terminal = TerminalConnection.parse({ code: "SBXT", protocol: "svc-terminal-1", baseUrl: line.baseUrl });
  const terminals = createTerminals([terminal]);
  setup = await setUpTracking({ clock, carriers: () => createCarriers([carrier]), terminals });
});
beforeEach(() => setup.reset());
afterAll(async () => {
  await setup?.close();
  await line?.close();
});

const waits = [
  ["999999999 seconds", "999999999", dayMs],
  ["a date in 2057", "Fri, 05 Oct 2057 07:00:00 GMT", dayMs],
  ["ten minutes", "600", 10 * minuteMs],
  ["nothing", "0", minuteMs],
] as const;

const nextPollOf = async (where: string, ...values: readonly unknown[]) =>
  (await setup.row<{ next: string }>(`SELECT next_poll_at AS next FROM tracking_subjects WHERE ${where}`, ...values))
    .next;

describe("Retry-After", () => {
  test.each(waits)("polls a carrier that requests %s again within a day", async (_what, value, waitMs) => {
    const number = `WAIT${value.length}${value.slice(0, 1)}`.toUpperCase();
    line.answer(number, { status: 429, headers: { "retry-after": value } });
    await setup.request(number);
    await setup.pollDue();
    expect(await nextPollOf("number = $1", number)).toBe(addMs(setup.clock.now(), waitMs));
  });

  test("polls a terminal that requests 31 years again within a day", async () => {
    line.answer("TERM1", voyage());
    await setup.request("TERM1");
    await setup.pollDue();
    line.answer("", { status: 429, headers: { "retry-after": "999999999" } });
    await setup.rows("UPDATE tracking_subjects SET next_poll_at = NULL WHERE kind <> 'terminal_container'");
    const due = "UPDATE tracking_subjects SET next_poll_at = $1 WHERE kind = 'terminal_container'";
    await setup.rows(due, setup.clock.now());
    expect(await setup.pollDue()).toBe(1);
    expect(await nextPollOf("kind = 'terminal_container'")).toBe(addMs(setup.clock.now(), dayMs));
  });
});
