import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { CarrierConnection, createCarriers } from "@svc/carriers";
import { dayMs, hourMs, instant } from "@svc/domain";
import { containerMove, type DcsaCarrier, startDcsaCarrier, vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { carrierScac, setUpTracking, type TrackingSetup } from "../testing/tracking-setup.ts";

const megabyte = 1024 * 1024;
const begins = Date.UTC(2026, 0, 10);

let line: DcsaCarrier;
let setup: TrackingSetup;
let nowMs = begins;
const advance = (ms: number): void => {
  nowMs += ms;
};

beforeAll(async () => {
  line = await startDcsaCarrier();
  const clock = { now: () => instant(nowMs), scale: () => 1, advance };
  const connection = { scac: carrierScac, protocol: "dcsa-2.2", baseUrl: line.baseUrl, timeoutMs: 1_000 };
  const carriers = () => createCarriers([CarrierConnection.parse({ ...connection, maxBodyBytes: 2 * megabyte })]);
  setup = await setUpTracking({ clock, carriers, terminals: new Map() });
});
beforeEach(() => setup.reset());
afterAll(async () => {
  await setup?.close();
  await line?.close();
});

const json = (response: ServerResponse, body: string) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(body);

let sentBytes = 0;

/** 200 MB, unless the client disconnects. */
function sendForever(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const chunk = Buffer.alloc(megabyte, " ");
  const more = (): void => {
    if (response.destroyed || sentBytes >= 200 * megabyte) return void response.end();
    sentBytes += chunk.byteLength;
    if (response.write(chunk)) setImmediate(more);
    else response.once("drain", more);
  };
  response.once("close", () => response.removeAllListeners("drain"));
  more();
}

/** One byte at a time, for longer than every timeout. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 50);
  response.once("close", () => clearInterval(timer));
}

const bad: readonly (readonly [what: string, outcome: string, answer: Parameters<DcsaCarrier["answer"]>[1]])[] = [
  ["unparsable", "unrecognized", (response) => json(response, "]]not json[[")],
  ["a page of HTML", "unrecognized", "<html>Maintenance</html>"],
  ["truncated JSON", "unrecognized", (response) => json(response, JSON.stringify(voyage()).slice(0, -40))],
  [
    "a body that is cut off",
    "unreachable",
    (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
      response.write("[", () => response.destroy());
    },
  ],
  ["200 MB", "unrecognized", sendForever],
  ["slower than anybody waits", "unreachable", drip],
  ["another document", "unrecognized", (response) => json(response, '{"message":"hello"}')],
  ["events of no kind", "unrecognized", (response) => json(response, '[{"eventType":"WEATHER"},7,null,[[]]]')],
  ["members of the wrong type", "unrecognized", (response) => json(response, wrongTypes())],
  ["a thousand brackets", "unrecognized", (response) => json(response, "[".repeat(1_000) + "]".repeat(1_000))],
];

const wrongTypes = () =>
  JSON.stringify(voyage().map((event) => ({ ...event, eventDateTime: 7, transportCall: "here", eventType: {} })));

const tables = ["observations", "shipments", "containers", "transport_events", "field_facts", "notification_events"];

/** The transaction ids (xmin) of every row of the shipment. */
async function state(accountId: string): Promise<unknown[]> {
  const rows = tables.map((table) =>
    setup.rows(`SELECT '${table}' AS t, id, xmin::text FROM ${table} WHERE account_id = $1 ORDER BY id`, accountId),
  );
  return (await Promise.all(rows)).flat();
}

async function track(number: string): Promise<string> {
  const accountId = await setup.newAccount();
  await setup.subscribe(["*"], accountId);
  line.answer(number, voyage());
  await setup.request(number, { accountId });
  await setup.pollDue();
  return accountId;
}

async function pollsCounted(outcome: string): Promise<number> {
  const { values } = await setup.poller.metrics.polls.get();
  return values.find(({ labels }) => labels.scac === carrierScac && labels.outcome === outcome)?.value ?? 0;
}

async function pollAgain(number: string): Promise<void> {
  await setup.rows("UPDATE tracking_subjects SET next_poll_at = $1 WHERE number = $2", setup.clock.now(), number);
  await setup.pollDue();
}

const countsOf = () =>
  setup.row<{ unrecognized: number; failures: number }>(
    `SELECT unrecognized_count AS unrecognized, failure_count AS failures FROM carrier_access WHERE credential = $1`,
    carrierScac,
  );

describe("a reply that is", () => {
  test.each(bad.map((row, index) => [...row, index] as const))(
    "%s changes nothing, is counted, and the next valid one is applied",
    async (_what, outcome, reply, index) => {
      const number = `BAD${index}`;
      const accountId = await track(number);
      const before = await state(accountId);
      expect(before.length).toBeGreaterThan(20);
      const counted = await pollsCounted(outcome);
      line.answer(number, reply);
      setup.clock.advance(hourMs);
      await pollAgain(number);
      expect(await state(accountId)).toEqual(before);
      expect(await pollsCounted(outcome)).toBe(counted + 1);
      const { lease_owner, next_poll_at } = await setup.row<{ lease_owner: null; next_poll_at: string }>(
        "SELECT lease_owner, next_poll_at FROM tracking_subjects WHERE number = $1",
        number,
      );
      expect([lease_owner, next_poll_at > setup.clock.now()]).toEqual([null, true]);
      line.answer(number, [...voyage(), vesselMove("ARRI", "NLRTM", "2026-02-04T06:00:00+01:00", "EST")]);
      await pollAgain(number);
      expect(await state(accountId)).not.toEqual(before);
      await setup.poller.access.close();
      const counts = await countsOf();
      expect(outcome === "unrecognized" ? counts.unrecognized : counts.failures).toBeGreaterThan(0);
    },
  );

  test("200 MB long is read up to the size limit", () => {
    expect(sentBytes).toBeGreaterThan(2 * megabyte);
    expect(sentBytes).toBeLessThan(40 * megabyte);
  });
});

describe("a reply that contradicts itself", () => {
  const containerNumber = "MSKU0000006";
  const contradictions = [
    vesselMove("ARRI", "NLRTM", "2025-12-20T06:00:00+01:00", "ACT"),
    vesselMove("DEPA", "CNSHA", "2026-06-01T06:00:00+08:00", "ACT"),
    containerMove("DISC", containerNumber, "NLRTM", "2025-12-25T06:00:00+01:00"),
    containerMove("DISC", containerNumber, "CNSHA", "2026-01-09T06:00:00+08:00"),
    containerMove("LOAD", containerNumber, "NLRTM", "2026-01-08T06:00:00+01:00"),
    containerMove("LOAD", containerNumber, "CNSHA", "2026-01-09T07:00:00+08:00"),
  ];
  const attributes = (accountId: string) =>
    setup.rows(
      `SELECT subject_type, field, value FROM field_facts WHERE account_id = $1 AND superseded_at IS NULL ORDER BY 1, 2`,
      accountId,
    );

  test("is derived in any order with the same result, and withdrawn once the carrier retracts it", async () => {
    const [one, two] = [await track("ODD1"), await track("ODD2")];
    const before = await attributes(one);
    const good = voyage();
    line.answer("ODD1", [...good, ...contradictions]);
    line.answer("ODD2", [...contradictions.toReversed(), ...good]);
    setup.clock.advance(hourMs);
    await pollAgain("ODD1");
    await pollAgain("ODD2");
    expect(await attributes(one)).not.toEqual(before);
    expect(await attributes(one)).toEqual(await attributes(two));
    line.answer("ODD1", good);
    for (const hours of [1, 2]) {
      setup.clock.advance(hours * hourMs);
      await pollAgain("ODD1");
    }
    const latest = new Set((await attributes(one)).map((row) => JSON.stringify(row)));
    expect(before.filter((row) => !latest.has(JSON.stringify(row)))).toEqual([]);
    expect(nowMs - begins).toBeLessThan(dayMs);
  });
});
