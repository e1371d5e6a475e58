import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { readShipmentsToCheck } from "./exception-checks.ts";

const database = started(openTestDatabase);

const createdAt = new Date("2026-06-01T00:00:00Z");

type Call = { readonly mode: string; readonly vessel: { readonly imo: null; readonly name: string } | null } | null;

async function addSubject(accountId: string, kind: string, number: string): Promise<string> {
  const id = uuidV7.next();
  const data = { accountId, id, scac: "SBXL", kind, number, createdAt };
  await database.prisma.trackingSubject.create({ data });
  return id;
}

async function addShipment(accountId: string, subjectId: string | null, number: string): Promise<string> {
  const id = uuidV7.next();
  const numbers = { billOfLadingNumber: number, normalizedNumber: number, numberKind: "bill_of_lading" };
  const times = { createdAt, updatedAt: createdAt };
  await database.prisma.shipment.create({
    data: { accountId, id, subjectId, shippingLineScac: "SBXL", ...numbers, ...times },
  });
  return id;
}

const addMoves = (accountId: string, subjectId: string, moves: readonly (readonly [string, Call])[]) =>
  database.prisma.observation.createMany({
    data: moves.map(([code, call], index) => ({
      accountId,
      id: uuidV7.next(),
      subjectId,
      rawReplyId: uuidV7.next(),
      observedAt: createdAt,
      valueHash: Buffer.from(String(index)),
      fact: { code, call },
    })),
  });

const codesOf = async (accountId: string, ids: readonly string[]) => {
  const read = await readShipmentsToCheck(database.sql, accountId, ids);
  return read.map(({ id, vesselMoves }) => [id, vesselMoves.map(({ code }) => code).toSorted()]);
};

test("reads the moves of every number of a shipment and of its terminals, each for its shipment only", async () => {
  const accountId = await addAccount(database);
  const booking = await addSubject(accountId, "booking_number", "BOOKING1");
  const bill = await addSubject(accountId, "bill_of_lading", "BILL1");
  const [id, other] = [await addShipment(accountId, bill, "BILL1"), await addShipment(accountId, null, "OTHER1")];
  const times = { createdAt, updatedAt: createdAt };
  const number = { requestNumber: "BOOKING1", normalizedNumber: "BOOKING1", requestType: "booking_number" };
  await database.prisma.trackingRequest.create({
    data: {
      accountId,
      id: uuidV7.next(),
      subjectId: booking,
      shipmentId: id,
      scac: "SBXL",
      status: "created",
      refNumbers: [],
      shipmentTags: [],
      ...number,
      ...times,
    },
  });
  const container = { accountId, id: uuidV7.next(), shipmentId: id, number: "SBXU0000019", currentStatus: "new" };
  await database.prisma.container.create({ data: { ...container, ...times } });
  const terminal = await addSubject(accountId, "terminal_container", container.id);
  const unrelated = await addSubject(accountId, "bill_of_lading", "UNRELATED1");
  const [call, stranger] = [{ mode: "VESSEL", vessel: null }, await addAccount(database)];
  await addMoves(accountId, booking, [["DEPA", call]]);
  await addMoves(accountId, bill, [["ARRI", call]]);
  await addMoves(accountId, terminal, [["DISC", call]]);
  await addMoves(accountId, unrelated, [["LOAD", call]]);
  expect(await codesOf(accountId, [id, other])).toEqual(
    expect.arrayContaining([
      [id, ["ARRI", "DEPA", "DISC"]],
      [other, []],
    ]),
  );
  expect(await codesOf(stranger, [id])).toEqual([]);
});

test("reads every move of a vessel, also discharges and vessels without a name, and none by rail", async () => {
  const accountId = await addAccount(database);
  const subjectId = await addSubject(accountId, "bill_of_lading", "MOVES1");
  const id = await addShipment(accountId, subjectId, "MOVES1");
  const vessel = { imo: null, name: "EVER GIVEN" };
  const moves = [
    ["ARRI", { mode: "VESSEL", vessel }],
    ["DEPA", { mode: "VESSEL", vessel: null }],
    ["LOAD", { mode: "BARGE", vessel: null }],
    ["DISC", null],
    ["LOAD", { mode: "RAIL", vessel: null }],
    ["GTOT", { mode: "VESSEL", vessel }],
  ] as const;
  await addMoves(accountId, subjectId, moves);
  const [read] = await readShipmentsToCheck(database.sql, accountId, [id]);
  expect(read?.vesselMoves.map(({ code, call }) => [code, call?.mode ?? null]).toSorted()).toEqual([
    ["ARRI", "VESSEL"],
    ["DEPA", "VESSEL"],
    ["DISC", null],
    ["LOAD", "BARGE"],
  ]);
});
