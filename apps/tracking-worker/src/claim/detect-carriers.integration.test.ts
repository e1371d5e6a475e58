import { beforeEach, describe, expect, test } from "@jest/globals";
import { connectDatabase } from "@svc/persistence";
import { createLogger } from "@svc/service-kit";
import { started } from "@svc/testkit/started";
import { voyage } from "../testing/dcsa-carrier.ts";
import { carrierScac, type RequestOptions, setUpTracking } from "../testing/tracking-setup.ts";
import { detectCarriers } from "./detect-carriers.ts";

let accountId: string;
const setup = started(setUpTracking);
beforeEach(async () => {
  accountId = await setup.newAccount();
  await setup.subscribe(["tracking_request.*"], accountId);
});

const logger = createLogger({ service: "test", level: "silent" });
const detect = () => detectCarriers(setup.context, logger);
const requestTracking = (number: string, options: RequestOptions = {}) =>
  setup.request(number, { accountId, scac: null, ...options });
const rowOf = (id: string) => setup.row<Record<string, unknown>>("SELECT * FROM tracking_requests WHERE id = $1", id);
const notifications = () =>
  setup.rows<{ event: string; included: string }>(
    "SELECT event, included FROM notification_events WHERE account_id = $1 ORDER BY id",
    accountId,
  );

describe("a request without a carrier [spec: tracking_requests.create.payload]", () => {
  test("gets the carrier of its number, in the form that the carrier requires, and is due at once", async () => {
    setup.line.answer("123456789", voyage());
    const id = await requestTracking("MAEU123456789", { refNumbers: ["PO-1"] });
    expect(await rowOf(id)).toMatchObject({ scac: null, status: "pending" });
    expect(await setup.pollDue()).toBe(0);
    await detect();
    expect(await rowOf(id)).toMatchObject({ scac: carrierScac, normalized_number: "123456789", status: "pending" });
    expect(await notifications()).toEqual([]);
    expect(await setup.pollDue()).toBe(1);
    expect(await rowOf(id)).toMatchObject({ status: "created" });
    const shipments = await setup.rows("SELECT ref_numbers FROM shipments WHERE account_id = $1", accountId);
    expect(shipments).toEqual([{ ref_numbers: ["PO-1"] }]);
  });

  test.each<[string, string, RequestOptions]>([
    ["its number identifies no carrier", "ZZZZ00000000001", {}],
    ["its carrier does not support such a number", "EGLV123456789012", {}],
  ])("fails with a notification when %s", async (_name, number, options) => {
    const id = await requestTracking(number, options);
    await detect();
    const failed = { status: "failed", failed_reason: "scac_auto_detect_failed" };
    expect(await rowOf(id)).toMatchObject({ ...failed, scac: null, subject_id: null, row_version: 2 });
    const [notified, ...more] = await notifications();
    expect([notified?.event, more]).toEqual(["tracking_request.failed", []]);
    expect(JSON.parse(notified?.included ?? "")[0]).toMatchObject({ id, attributes: failed });
    expect(await detect()).toBe(false);
    expect(await notifications()).toHaveLength(1);
  });

  test("fails as a duplicate when the number of the carrier has a request", async () => {
    const first = await setup.request("333333333", { accountId, scac: carrierScac });
    const second = await requestTracking("MAEU333333333");
    await detect();
    expect(await rowOf(first)).toMatchObject({ status: "pending", row_version: 1 });
    expect(await rowOf(second)).toMatchObject({ status: "failed", failed_reason: "duplicate" });
    expect((await notifications()).map(({ event }) => event)).toEqual(["tracking_request.failed"]);
  });

  test("is settled once by concurrent workers", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => requestTracking("ZZZZ00000000002")));
    await Promise.all([detect(), detect(), detect()]);
    expect(await notifications()).toHaveLength(ids.length);
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ status: "failed", row_version: 2 });
  });

  test("is found through its index", async () => {
    const client = await setup.database.pool.connect();
    await client.query("SET enable_seqscan = off");
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      `EXPLAIN SELECT id FROM tracking_requests
        WHERE account_id = $1 AND scac IS NULL AND status = 'pending' ORDER BY created_at LIMIT 100`,
      [accountId],
    );
    client.release(true);
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("tracking_requests_undetected");
  });
});

describe("detecting the carriers of many requests", () => {
  test("takes the accounts in turn, so that a backlog of one delays no other", async () => {
    for (let n = 0; n < 101; n++) await requestTracking(`MAEU${500_000_000 + n}`);
    const other = await setup.newAccount();
    const id = await setup.request("MAEU600000000", { accountId: other, scac: null });
    expect(await detect()).toBe(true);
    expect(await rowOf(id)).toMatchObject({ scac: carrierScac });
    expect(await detect()).toBe(false);
  });

  test("ends at the first request when the database does not respond, and polls go on", async () => {
    for (let n = 0; n < 3; n++) await requestTracking(`MAEU${700_000_000 + n}`);
    const slow = connectDatabase({
      url: setup.databaseUrl,
      applicationName: "slow",
      statementTimeoutMs: 200,
      onIdleError: () => undefined,
    });
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const client = await setup.database.pool.connect();
    await client.query("BEGIN");
    await client.query("LOCK TABLE tracking_subjects IN ACCESS EXCLUSIVE MODE");
    try {
      const log = createLogger({ service: "test", level: "warn", destination });
      expect(await detectCarriers({ ...setup.context, database: slow }, log)).toBe(false);
    } finally {
      await client.query("COMMIT");
      client.release();
    }
    expect(lines).toHaveLength(1);
    await slow.close();
    expect(await detect()).toBe(false);
    const left = await setup.rows("SELECT id FROM tracking_requests WHERE account_id = $1 AND scac IS NULL", accountId);
    expect(left).toEqual([]);
  });
});
