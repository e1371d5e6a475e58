import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { readShipmentsToCheck } from "./exception-checks.ts";

const database = started(openTestDatabase);

test("the rules read every move of a vessel, also discharges and vessels without a name, and none by rail", async () => {
  const { prisma } = database;
  const [accountId, id, subjectId] = [await addAccount(database), uuidV7.next(), uuidV7.next()];
  const [createdAt, number] = [new Date("2026-06-01T00:00:00Z"), "MOVES1"];
  await prisma.trackingSubject.create({
    data: { accountId, id: subjectId, scac: "SBXL", kind: "bill_of_lading", number, createdAt },
  });
  await prisma.shipment.create({
    data: {
      accountId,
      id,
      subjectId,
      shippingLineScac: "SBXL",
      createdAt,
      updatedAt: createdAt,
      billOfLadingNumber: number,
      normalizedNumber: number,
      numberKind: "bill_of_lading",
    },
  });
  const vessel = { imo: null, name: "EVER GIVEN" };
  const moves = [
    ["ARRI", { mode: "VESSEL", vessel }],
    ["DEPA", { mode: "VESSEL", vessel: null }],
    ["LOAD", { mode: "BARGE", vessel: null }],
    ["DISC", null],
    ["LOAD", { mode: "RAIL", vessel: null }],
    ["GTOT", { mode: "VESSEL", vessel }],
  ] as const;
  await prisma.observation.createMany({
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
  const [read] = await readShipmentsToCheck(database.sql, accountId, [id]);
  expect(read?.vesselMoves.map(({ code, call }) => [code, call?.mode ?? null]).toSorted()).toEqual([
    ["ARRI", "VESSEL"],
    ["DEPA", "VESSEL"],
    ["DISC", null],
    ["LOAD", "BARGE"],
  ]);
});
