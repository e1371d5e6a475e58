import { beforeEach, describe, expect, test } from "@jest/globals";
import { addMs, type Instant, instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import {
  type ClaimOptions,
  claimDueSubjects,
  claimSubjects,
  nextDueAt,
  releaseSubject,
  renewSubjectLeases,
} from "./claim-subjects.ts";

const database = started(openTestDatabase);
beforeEach(() => database.pool.query("DELETE FROM tracking_subjects"));

const now = instant("2026-03-01T00:00:00Z");

async function add(
  scac: string,
  number: string,
  nextPollAt: Instant | null,
  accountId: string = uuidV7.next(),
): Promise<void> {
  await database.pool.query(
    `INSERT INTO tracking_subjects (id, account_id, scac, kind, number, next_poll_at, created_at)
     VALUES ($1, $2, $3, 'bill_of_lading', $4, $5, $6)`,
    [uuidV7.next(), accountId, scac, number, nextPollAt, now],
  );
}
async function claim(options: Partial<ClaimOptions> = {}) {
  const defaults = { now, owner: "worker", leaseMs: 10_000, limit: 10, credentialLimits: new Map(), otherLimit: 10 };
  return claimDueSubjects(database.sql, { ...defaults, ...options });
}
const numbersOf = (claims: readonly { readonly number: string }[]) => claims.map(({ number }) => number).sort();

describe("claiming", () => {
  test("claims due subjects without a lease once, by the tracking clock", async () => {
    await add("MAEU", "DUE", now);
    await add("MAEU", "LATER", addMs(now, 1));
    await add("MSCU", "STOPPED", null);
    expect(numbersOf(await claim())).toEqual(["DUE"]);
    expect(await claim()).toEqual([]);
    expect(numbersOf(await claim({ now: addMs(now, 1) }))).toEqual(["LATER"]);
  });

  test("applies the limit of each credential and claims the longest due first", async () => {
    const account = uuidV7.next();
    for (const late of [1, 2, 3]) await add("MAEU", `M${late}`, addMs(now, -late), account);
    for (const late of [4, 5]) await add("ZIMU", `Z${late}`, addMs(now, -late), account);
    await add("HLCU", "H", addMs(now, -9));
    const credentialLimits = new Map([
      ["MAEU", 2],
      ["HLCU", 0],
    ]);
    expect(numbersOf(await claim({ credentialLimits, otherLimit: 1 }))).toEqual(["M2", "M3", "Z5"]);
    expect(numbersOf(await claim({ limit: 1 }))).toEqual(["H"]);
  });

  test("serves the accounts of a shared credential round robin, whatever their backlogs", async () => {
    const [busy, other, third] = [uuidV7.next(), uuidV7.next(), uuidV7.next()];
    for (let n = 10; n < 60; n++) await add("MAEU", `A${n}`, addMs(now, n - 1_000), busy);
    for (let n = 1; n < 4; n++) await add("MAEU", `B${n}`, addMs(now, -n), other);
    await add("MAEU", "C", addMs(now, 1), third);
    const served: string[] = [];
    const lastAccounts = new Map<string, string>();
    for (let round = 0; round < 7; round++) {
      const [claimed] = await claim({ otherLimit: 1, lastAccounts });
      served.push(claimed?.number ?? "");
      lastAccounts.set("MAEU", claimed?.accountId ?? "");
    }
    expect(served).toEqual(["A10", "B3", "A11", "B2", "A12", "B1", "A13"]);
    expect(numbersOf(await claim({ otherLimit: 4, now: addMs(now, 1), lastAccounts }))).toEqual(["A14", "A15", "C"]);
  });

  test("leaves a quarter of a shared credential's places to other accounts that poll with it", async () => {
    const [busy, other] = [uuidV7.next(), uuidV7.next()];
    for (let n = 10; n < 30; n++) await add("MAEU", `A${n}`, addMs(now, n - 1_000), busy);
    const claimBeside = (count: number, options: Partial<ClaimOptions>) =>
      claim({ otherLimit: 8, inProgress: new Map([["MAEU", new Map([[busy, count]])]]), ...options });
    const free = (places: number) => ({ credentialLimits: new Map([["MAEU", places]]) });
    // While no other account polls with the credential, all places are its own.
    expect(numbersOf(await claimBeside(6, free(2)))).toEqual(["A10", "A11"]);
    for (const number of ["B1", "B2", "B3"]) await add("MAEU", number, addMs(now, 1), other);
    expect(numbersOf(await claimBeside(5, free(3)))).toEqual(["A12"]);
    expect(await claimBeside(6, free(2))).toEqual([]);
    expect(numbersOf(await claimBeside(6, { ...free(2), now: addMs(now, 1) }))).toEqual(["B1", "B2"]);
    expect(numbersOf(await claimBeside(0, { otherLimit: 1, ...free(1) }))).toEqual(["A13"]);
  });

  test("claims a subject with an expired lease with a higher fencing token, and rejects the old holder", async () => {
    await add("MAEU", "DUE", now);
    const [old] = await claim({ owner: "old", leaseMs: -1_000 });
    const [fresh] = await claim({ owner: "fresh" });
    expect(fresh?.fencing).toBe((old?.fencing ?? 0) + 1);
    const renewal = { leaseMs: 10_000, claims: [old!] };
    expect((await renewSubjectLeases(database.sql, { owner: "old", ...renewal })).size).toBe(0);
    await releaseSubject(database.sql, old!);
    expect(await claim()).toEqual([]);
    const renewed = await renewSubjectLeases(database.sql, { owner: "fresh", leaseMs: 10_000, claims: [fresh!] });
    expect(renewed).toEqual(new Set([fresh?.id]));
    await releaseSubject(database.sql, fresh!);
    expect(numbersOf(await claim())).toEqual(["DUE"]);
  });
});

describe("a claim of named subjects", () => {
  test("leaves out what another worker has leased, and neither waits for it nor locks it", async () => {
    const accountId = uuidV7.next();
    await add("MAEU", "LEASED", now, accountId);
    const leased = await claim({ owner: "poller" });
    await add("MAEU", "FREE", now, accountId);
    const { rows } = await database.pool.query("SELECT id FROM tracking_subjects");
    const ids = rows.map(({ id }) => id);
    const lease = { owner: "importer", leaseMs: 10_000 };
    const renewal = { owner: "poller", leaseMs: 10_000, claims: leased };
    await database.transaction(async (poller) => {
      await renewSubjectLeases(poller, renewal);
      await database.transaction(async (importer) => {
        expect(numbersOf(await claimSubjects(importer, accountId, ids, lease))).toEqual(["FREE"]);
        expect((await renewSubjectLeases(poller, renewal)).size).toBe(1);
      });
    });
    // Nor does it lock the row once the lease is not renewed in a transaction.
    await database.transaction(async (importer) => {
      await claimSubjects(importer, accountId, ids, lease);
      expect((await renewSubjectLeases(database.sql, renewal)).size).toBe(1);
    });
  });
});

describe("the next due time", () => {
  test("is the earliest after now over all carriers, and null when there is none", async () => {
    expect(await nextDueAt(database.sql, now)).toBeNull();
    await add("MAEU", "PAST", addMs(now, -5));
    await add("MAEU", "M", addMs(now, 7));
    await add("ZIMU", "Z", addMs(now, 3));
    expect(await nextDueAt(database.sql, now)).toBe(addMs(now, 3));
  });
});
