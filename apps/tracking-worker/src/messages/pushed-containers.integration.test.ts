import { beforeEach, expect, test } from "@jest/globals";
import { CarrierConnection, createStoredReplyReader } from "@svc/carriers";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { verify } from "@svc/replay";
import { started } from "@svc/testkit/started";
import { containerMove, type DcsaEvent, vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { pushOf, sendMessage } from "../testing/send-message.ts";
import { carrierScac, setUpTracking } from "../testing/tracking-setup.ts";

let accountId: string;
const setup = started(setUpTracking);
beforeEach(async () => {
  await setup.reset();
  accountId = await setup.newAccount();
});

const [ours, theirs, others] = ["MSKU0000006", "MSKU0000011", "MSKU0000027"] as const;

/** An arrival that names every container that leaves the vessel. */
const arrival = (documents: readonly (readonly [type: string, number: string])[]): DcsaEvent => ({
  ...vesselMove("ARRI", "NLRTM", "2026-02-01T06:00:00+01:00", "ACT"),
  references: [ours, theirs, others].map((referenceValue) => ({ referenceType: "EQ", referenceValue })),
  documentReferences: documents.map(([documentReferenceType, documentReferenceValue]) => ({
    documentReferenceType,
    documentReferenceValue,
  })),
});

const push = (...events: readonly DcsaEvent[]) =>
  sendMessage(setup, { accountId, channel: "push", text: JSON.stringify(events) });

async function containersOf(number: string): Promise<readonly string[]> {
  const rows = await setup.rows<{ number: string }>(
    `SELECT c.number FROM containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
      WHERE c.account_id = $1 AND s.normalized_number = $2 ORDER BY c.number`,
    accountId,
    number,
  );
  return rows.map((row) => row.number);
}

async function differences(subject: string): Promise<readonly unknown[]> {
  const connection = { scac: carrierScac, protocol: "dcsa-2.2", baseUrl: "http://127.0.0.1:9" };
  const places = await loadPlaceDirectory(setup.database.sql);
  const read = createStoredReplyReader([CarrierConnection.parse(connection)], places);
  const found: unknown[] = [];
  await verify(setup.database, { subject }, { read, places }, (one) => found.push(one));
  return found;
}

test("a push that names the containers on board adds none to a container or a bill that is tracked", async () => {
  await setup.request(ours, { accountId, requestType: "container" });
  await setup.request("FOREIGN1", { accountId });
  await push(...(JSON.parse(pushOf("FOREIGN1", voyage([theirs]))) as DcsaEvent[]));
  await push(containerMove("LOAD", ours, "CNSHA", "2026-01-05T08:00:00+08:00"), arrival([]));
  expect([await containersOf(ours), await containersOf("FOREIGN1")]).toEqual([[ours], [theirs]]);
  const arrived = await setup.rows(
    `SELECT container_number AS number FROM observations WHERE account_id = $1 AND fact ->> 'code' = 'ARRI'
      AND container_number IS NOT NULL ORDER BY container_number`,
    accountId,
  );
  expect(arrived).toEqual([{ number: ours }, { number: theirs }]);
  expect([await differences(ours), await differences("FOREIGN1")]).toEqual([[], []]);
});

test("a push of two bills gives each its own containers, and all to the one of its type", async () => {
  await setup.request("TWO1", { accountId });
  await setup.request("TWO2", { accountId });
  const loading = (container: string, bill: string): DcsaEvent => ({
    ...containerMove("LOAD", container, "CNSHA", "2026-01-05T08:00:00+08:00"),
    documentReferences: [{ documentReferenceType: "TRD", documentReferenceValue: bill }],
  });
  const two = [["TRD", "TWO1"] as const, ["TRD", "TWO2"] as const];
  expect(await push(loading(ours, "TWO1"), loading(theirs, "TWO2"), arrival(two))).toMatchObject({
    applied_count: 3,
    unknown_count: 0,
  });
  expect([await containersOf("TWO1"), await containersOf("TWO2")]).toEqual([[ours], [theirs]]);
  await push(arrival([["TRD", "TWO1"]]));
  expect(await containersOf("TWO1")).toEqual([ours, theirs, others]);
  expect([await differences("TWO1"), await differences("TWO2")]).toEqual([[], []]);
});

test("a push of two bills without a known container is of no tracked number", async () => {
  await setup.request("TWO3", { accountId });
  const two = [["TRD", "TWO3"] as const, ["TRD", "TWO4"] as const];
  expect(await push(arrival(two))).toMatchObject({ applied_count: 0, inactive_count: 0, unknown_count: 1 });
});
