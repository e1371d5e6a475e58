import { readSearchQuery } from "@svc/domain/search";
import type { Database } from "@svc/persistence";
import { findCandidates } from "@svc/persistence/search";
import { connections } from "../compare.ts";
import { load } from "../load.ts";
import type { Reading } from "../rounds.ts";
import { oldOwnerCode, sharedReference } from "../seed-large/plan.ts";
import { type LargeRun, onLargeDatabase } from "./large-run.ts";
import type { LoadAccount, LoadAccounts } from "./load-accounts.ts";

const statementsEach = 300;
/** A slow class gets fewer requests. */
const statementSecondsEach = 10;
const secondsEach = 3;

interface LookupClass {
  readonly name: string;
  readonly account: LoadAccount;
  readonly typed: readonly string[];
}

/** Search texts of users, by the way they are found. */
async function classesOf(database: Database, { large, small }: LoadAccounts): Promise<LookupClass[]> {
  const valuesOf = async (account: LoadAccount) => {
    const { rows } = await database.pool.query<{ number: string; bill: string; reference: string }>(
      `SELECT c.number, s.bill_of_lading_number AS bill, s.ref_numbers[1] AS reference FROM shipments s
       JOIN containers c ON c.account_id = s.account_id AND c.shipment_id = s.id
       WHERE s.account_id = $1 AND s.id = ANY($2::uuid[]) AND s.ref_numbers <> '{}' ORDER BY md5(c.id::text) LIMIT $3`,
      [account.id, account.shipmentIds, statementsEach],
    );
    return rows;
  };
  const [big, little] = [await valuesOf(large), await valuesOf(small[0] as LoadAccount)];
  const numbers = big.map(({ number }) => number);
  const part = (from: number, to: number) => numbers.map((number) => number.slice(from, to));
  const lookupClass = (name: string, typed: readonly string[], account = large): LookupClass => ({
    name,
    typed,
    account,
  });
  return [
    lookupClass("exact container", numbers),
    lookupClass(
      "exact container, small account",
      little.map(({ number }) => number),
      small[0],
    ),
    lookupClass(
      "container with spaces",
      numbers.map((number) => `${number.slice(0, 4).toLowerCase()} ${number.slice(4, 10)}-${number.slice(10)}`),
    ),
    lookupClass(
      "exact bill of lading",
      big.map(({ bill }) => bill.toLowerCase()),
    ),
    lookupClass(
      "exact reference",
      big.map(({ reference }) => reference.toLowerCase()),
    ),
    lookupClass("reference on many shipments", [sharedReference]),
    lookupClass("that reference, where there is none", [sharedReference], small[0]),
    lookupClass("part, 1 character", part(9, 10)),
    lookupClass("part, 2 characters", part(8, 10)),
    lookupClass("part, 3 characters", part(7, 10)),
    lookupClass("part, 4 characters", part(6, 10)),
    lookupClass("part, 6 characters", part(4, 10)),
    lookupClass("owner code", part(0, 4)),
    lookupClass("owner code of old boxes only", [oldOwnerCode, oldOwnerCode.slice(1)]),
    lookupClass(
      "part of a bill of lading",
      big.map(({ bill }) => bill.slice(2, -1)),
    ),
    lookupClass(
      "part of a reference",
      big.map(({ reference }) => reference.slice(1, -1)),
    ),
    lookupClass("absent, 2 characters", ["QX", "~!"]),
    lookupClass("absent, 3 characters", ["QXZ", "ÜÜÜ"]),
    lookupClass(
      "absent, 12 characters",
      numbers.map((_, index) => `ABSENT${String(index).padStart(6, "0")}`),
    ),
  ];
}

const percentile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

async function timeStatements(database: Database, { account, typed }: LookupClass): Promise<number[]> {
  const tookMs: number[] = [];
  const untilMs = performance.now() + statementSecondsEach * 1000;
  for (let index = 0; index < statementsEach && performance.now() < untilMs; index++) {
    const query = readSearchQuery(typed[index % typed.length] ?? "");
    if (!query) throw new Error("Nothing was typed.");
    const startedMs = performance.now();
    await findCandidates(database.tenantSql, account.id, query);
    tookMs.push(performance.now() - startedMs);
  }
  return tookMs.sort((a, b) => a - b);
}

async function measureLookups({ database, accounts, start }: LargeRun): Promise<Reading> {
  const { url } = await start("apps/deeplink/dist/main.js", { SVC_RATE_LIMIT_SEARCH: "1000000000" });
  const lines = ["| Class | statement p50 / p99 ms | requests/s | request p50 / p99 ms |", "|---|---|---|---|"];
  for (const lookup of await classesOf(database, accounts)) {
    const sorted = await timeStatements(database, lookup);
    let index = 0;
    const { requestsPerSecond, p50Ms, p99Ms } = await load({
      url,
      connections,
      seconds: secondsEach,
      redirects: true,
      headers: { authorization: `Token ${lookup.account.token}` },
      nextRequest: () => ({
        path: `/shipments/find?q=${encodeURIComponent(lookup.typed[index++ % lookup.typed.length] ?? "")}`,
      }),
    });
    const statement = `${percentile(sorted, 0.5).toFixed(2)} / ${percentile(sorted, 0.99).toFixed(2)}`;
    lines.push(
      `| ${lookup.name} | ${statement} | ${Math.round(requestsPerSecond).toLocaleString("en-US")} | ${p50Ms} / ${p99Ms} |`,
    );
  }
  console.error(lines.join("\n"));
  return { name: "Deep link: what is typed until the browser is sent on", lines };
}

/** The deep link's statement alone, one at a time, and the whole request at 50 connections, for each class. */
export const benchmarkLookups = (): Promise<Reading[]> => onLargeDatabase(async (run) => [await measureLookups(run)]);
