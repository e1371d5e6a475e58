import { describe, expect, test } from "@jest/globals";
import { CarrierConnection, createStoredReplyReader } from "@svc/carriers";
import { stopTracking } from "@svc/persistence/shipments";
import { verify } from "@svc/replay";
import { started } from "@svc/testkit/started";
import { startVoyageHarness } from "../testing/voyage-harness.ts";

const harness = started(startVoyageHarness);

interface Row {
  readonly id: string;
  readonly subject_id: string;
  readonly superseded_at: string | null;
  readonly pol_atd_at: string | null;
}

const shipmentsOf = (number: string, accountId = harness.accountId): Promise<Row[]> =>
  harness.rows<Row>(
    "SELECT * FROM shipments WHERE account_id = $1 AND normalized_number = $2 ORDER BY created_at",
    accountId,
    number,
  );

/** Every stored row of a shipment and its containers, without the reference to the next shipment. */
async function stored(shipmentId: string): Promise<unknown> {
  const [row] = await harness.rows(
    `SELECT to_jsonb(s) - 'superseded_at' - 'change_transaction_id' AS shipment,
       (SELECT jsonb_agg(c ORDER BY c.number) FROM containers c WHERE c.shipment_id = s.id) AS containers,
       (SELECT jsonb_agg(e ORDER BY e.id) FROM transport_events e JOIN containers c ON c.id = e.container_id
         WHERE c.shipment_id = s.id) AS events,
       (SELECT jsonb_agg(o ORDER BY o.id) FROM observations o WHERE o.subject_id = s.subject_id) AS observations
     FROM shipments s WHERE s.id = $1`,
    shipmentId,
  );
  return row;
}

/** The first container of a bill of lading of the sandbox carrier, which creates it when the bill is first polled. */
async function containerOf(billOfLading: string): Promise<string> {
  await harness.track(billOfLading);
  const { number } = await harness.row<{ number: string }>(
    `SELECT c.number FROM containers c JOIN shipments s ON s.id = c.shipment_id
     WHERE s.normalized_number = $1 ORDER BY c.number LIMIT 1`,
    billOfLading,
  );
  return number;
}

async function request(number: string, accountId = harness.accountId): Promise<void> {
  await harness.request(number, { accountId, requestType: "container", scac: "SBXL" });
  while ((await harness.pollDue()) > 0);
}

/** Advances until the carrier reports that the container is loaded at a port other than the first. */
async function sailUntil(isReached: () => Promise<boolean>): Promise<void> {
  for (let days = 0; days < 200; days++) {
    if (await isReached()) return;
    await harness.sail(1, 24);
  }
  throw new Error("The voyage did not get there in 200 days.");
}

const isStopped = async (number: string): Promise<boolean> => {
  const [row] = await harness.rows(
    "SELECT 1 FROM shipments WHERE normalized_number = $1 AND line_tracking_stopped_at IS NOT NULL",
    number,
  );
  return row !== undefined;
};

async function replayDifferences(): Promise<unknown[]> {
  const connection = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: harness.sandbox.url };
  const read = createStoredReplyReader([CarrierConnection.parse(connection)], harness.context.places);
  const differences: unknown[] = [];
  await verify(
    harness.database,
    { accountId: harness.accountId },
    { read, places: harness.context.places },
    (difference) => differences.push(difference),
  );
  return differences;
}

describe("a container's next voyage", () => {
  test("a new request after the empty return creates a new shipment, and the old one is unchanged", async () => {
    const number = await containerOf("SBXREU000001");
    await request(number);
    await sailUntil(() => isStopped(number));
    const [first] = await shipmentsOf(number);
    await harness.sail(9, 24);
    const before = await stored(first!.id);
    await request(number);
    const [old, next] = await shipmentsOf(number);
    expect(await stored(old!.id)).toEqual(before);
    expect(old).toMatchObject({ id: first!.id, superseded_at: expect.any(String) });
    expect(next).toMatchObject({ superseded_at: null });
    expect(next!.subject_id).not.toBe(old!.subject_id);
    expect(next!.pol_atd_at! > old!.pol_atd_at!).toBe(true);
    expect(await stored(old!.id)).toEqual(before);
    expect(
      await harness.rows(
        `SELECT r.status, r.shipment_id FROM tracking_requests r WHERE r.normalized_number = $1 ORDER BY r.created_at`,
        number,
      ),
    ).toEqual([
      { status: "tracking_stopped", shipment_id: old!.id },
      { status: "created", shipment_id: next!.id },
    ]);
    const other = await harness.newAccount();
    await request(number, other);
    const [otherShipment] = await shipmentsOf(number, other);
    expect(otherShipment).toMatchObject({ pol_atd_at: next!.pol_atd_at });
    expect(await replayDifferences()).toEqual([]);
  }, 240_000);

  test("a new request creates a new shipment also without an empty return", async () => {
    const number = await containerOf("SBXRLD000002");
    await request(number);
    const isPickedUp = async () =>
      (await harness.rows("SELECT 1 FROM containers WHERE number = $1 AND pod_full_out_at IS NOT NULL", number))
        .length > 0;
    await sailUntil(isPickedUp);
    const [first] = await shipmentsOf(number);
    await stopTracking(harness.database.sql, harness.accountId, first!.id, {
      now: harness.clock.now(),
      ifVersions: null,
      userId: null,
    });
    await harness.sail(18, 24);
    const before = await stored(first!.id);
    await request(number);
    const [old, next] = await shipmentsOf(number);
    expect(await stored(old!.id)).toEqual(before);
    expect(next!.pol_atd_at! > old!.pol_atd_at!).toBe(true);
    expect(await replayDifferences()).toEqual([]);
  }, 240_000);

  test("a request without a next voyage resumes the old shipment", async () => {
    const number = await containerOf("SBXFOW000003");
    await request(number);
    const [first] = await shipmentsOf(number);
    await stopTracking(harness.database.sql, harness.accountId, first!.id, {
      now: harness.clock.now(),
      ifVersions: null,
      userId: null,
    });
    await request(number);
    expect((await shipmentsOf(number)).map(({ id }) => id)).toEqual([first!.id]);
  });
});
