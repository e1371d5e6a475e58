import { beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { countOpen, countOpenExceptions } from "./open-exception-count.ts";

const database = started(openTestDatabase);
const now = instant("2026-06-10T00:00:00Z");
const [ann, bob] = [uuidV7.next(), uuidV7.next()];
let account: string;

/** Adds a number of resolved exceptions, and open ones of each kind of owner. */
async function fill(accountId: string, resolved: number): Promise<void> {
  const shipment = uuidV7.next();
  const stamps = { createdAt: new Date(now), updatedAt: new Date(now) };
  const names = { billOfLadingNumber: shipment, normalizedNumber: shipment, numberKind: "bill_of_lading" };
  const { prisma, pool } = database;
  await prisma.shipment.create({ data: { accountId, id: shipment, ...names, shippingLineScac: "SBXL", ...stamps } });
  await pool.query(
    `INSERT INTO exceptions (account_id, id, subject_id, shipment_id, kind, severity, priority, details, opened_at,
       created_at, updated_at, resolved_at, resolution, ended_at)
     SELECT $1, uuidv7(), $2, $2, 'hold', 'critical', n, '{}', $3, $3, $3, $3, 'cleared', $3
     FROM generate_series(1, $4::int) n`,
    [accountId, shipment, now, resolved],
  );
  const rows = [
    { owner: null },
    { owner: ann },
    { owner: bob },
    { owner: null, snoozedUntil: "2026-06-11T00:00:00Z" },
    { owner: ann, snoozedUntil: "2026-06-09T00:00:00Z" },
  ];
  const found = { kind: "hold", severity: "critical", details: {}, openedAt: new Date(now), ...stamps };
  await prisma.exception.createMany({
    data: rows.map(({ owner, ...others }, priority) => {
      const snoozedUntil = "snoozedUntil" in others ? new Date(others.snoozedUntil) : null;
      const id = uuidV7.next();
      return {
        accountId,
        id,
        subjectId: id,
        shipmentId: shipment,
        priority,
        ownerUserId: owner,
        snoozedUntil,
        ...found,
      };
    }),
  });
}

beforeAll(async () => {
  account = await addAccount(database);
  await database.pool.query(
    `INSERT INTO users (id, email, password_hash, created_at) SELECT id, id || '@example.com', 'x', now()
      FROM unnest($1::uuid[]) AS id`,
    [[ann, bob]],
  );
  await fill(account, 3_000);
  await fill(await addAccount(database), 10);
  await database.pool.query("ANALYZE exceptions");
});

describe("open exceptions that a member can act on", () => {
  const count = (userId: string, atMost = 100) =>
    countOpenExceptions(database.tenantSql, account, { userId, now, atMost });

  test("are own ones and those without an owner, not snoozed, resolved or of other accounts", async () => {
    expect([await count(ann), await count(bob), await count(uuidV7.next())]).toEqual([3, 2, 1]);
  });

  test("are counted up to a number", async () => {
    expect([await count(ann, 3), await count(ann, 2)]).toEqual([3, 2]);
  });

  test("are read from the index of unresolved ones alone", async () => {
    const { rows } = await database.pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${countOpen.text}`, [
      account,
      ann,
      now,
      100,
    ]);
    const plan = JSON.stringify(rows);
    expect(plan).toContain("exceptions_unresolved");
    expect(rows[0]["QUERY PLAN"][0].Plan["Shared Hit Blocks"]).toBeLessThan(10);
  });
});
