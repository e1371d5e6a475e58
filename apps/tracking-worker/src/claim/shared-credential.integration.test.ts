import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { CarrierConnection, createCarriers } from "@svc/carriers";
import { instant } from "@svc/domain";
import { createLogger } from "@svc/service-kit";
import { eventually } from "@svc/testkit";
import { pollSubject } from "../poll/poll-subject.ts";
import { type DcsaCarrier, startDcsaCarrier } from "../testing/dcsa-carrier.ts";
import { carrierScac, setUpTracking, type TrackingSetup } from "../testing/tracking-setup.ts";
import { startPollLoop } from "./poll-loop.ts";

let line: DcsaCarrier;
let setup: TrackingSetup;
beforeAll(async () => {
  line = await startDcsaCarrier();
  // Longer between two requests than a poll waits in its place, so that each release of the budget permits one.
  const connection = { scac: carrierScac, protocol: "dcsa-2.2", baseUrl: line.baseUrl, limits: { perMinute: 55 } };
  const clock = { now: () => instant(Date.UTC(2026, 0, 10)), scale: () => 1, advance: () => undefined };
  const carriers = () => createCarriers([CarrierConnection.parse(connection)]);
  setup = await setUpTracking({ clock, carriers, terminals: new Map() });
});
afterAll(async () => {
  await setup.close();
  await line.close();
});

test("accounts that share a credential's budget take turns at every release of it", async () => {
  const polled: string[] = [];
  const track = async (accountId: string, number: string): Promise<void> => {
    line.answer(number, (response) => {
      polled.push(number);
      response.writeHead(404).end();
    });
    await setup.request(number, { accountId });
  };
  // Round robin begins with the lower id.
  const [busy = "", other = ""] = [await setup.newAccount(), await setup.newAccount()].toSorted();
  for (let n = 0; n < 12; n++) await track(busy, `BUSY${n}`);
  for (let n = 0; n < 3; n++) await track(other, `OTHER${n}`);
  const { poller, clock, database } = setup;
  const loop = startPollLoop({
    sql: database.sql,
    clock,
    brands: new Map(),
    slots: poller.slots,
    owner: "test",
    leaseMs: 10_000,
    concurrency: 8,
    carrierConcurrency: 4,
    sleepMaxMs: 1_000,
    prepare: async () => false,
    poll: (claim, signal) => pollSubject(poller, claim, signal),
    logger: createLogger({ service: "test", level: "silent" }),
  });
  try {
    await eventually("seven are polled", () => polled.length >= 7, 60_000);
  } finally {
    await loop.stop();
  }
  const pollOrder = polled.slice(0, 6).map((number) => number.replace(/\d+$/, ""));
  expect(pollOrder).toEqual(["BUSY", "OTHER", "BUSY", "OTHER", "BUSY", "OTHER"]);
});
