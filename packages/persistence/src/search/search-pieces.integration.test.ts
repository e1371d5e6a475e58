import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import fc from "fast-check";
import { openTestDatabase } from "../testing/open-test-database.ts";

const database = started(openTestDatabase);

const accountId = "019ac111-0000-7000-8000-00000000a1b2";
/** Few letters, so that parts match, and all characters that are special to LIKE or to text search queries. */
const character = fc.constantFrom(..."AB1é😀 -%_\\'\"&|!:*()<>");
const line = fc.string({ unit: character, minLength: 1, maxLength: 12 });
const texts = fc.record({
  names: fc.array(line, { minLength: 1, maxLength: 3 }),
  containerNumbers: fc.array(line, { minLength: 1, maxLength: 3 }),
});
const part = fc.string({ unit: character, minLength: 1, maxLength: 12 });

interface Found {
  readonly names: boolean | null;
  readonly containerNumbers: boolean | null;
}

/** Whether the texts have all requested pieces; null when none are requested. */
async function lookup(lines: { names: string[]; containerNumbers: string[] }, queryText: string): Promise<Found> {
  const { rows } = await database.pool.query<Found>(
    `SELECT pieces @@ search_pieces_of($1, 'n', $4) AS names, pieces @@ search_pieces_of($1, 'c',
      $4) AS "containerNumbers"
     FROM search_pieces($1, $2, $3) AS pieces`,
    [accountId, lines.names.join("\n"), lines.containerNumbers.join("\n"), queryText],
  );
  return rows[0] as Found;
}

test("finds every text with a part of three or more characters, and others only by longer parts", async () => {
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(texts, part, fc.nat(9), fc.nat(12), fc.boolean(), async (lines, other, from, length, own) => {
      const source = [...(lines.names[0] ?? lines.containerNumbers[0] ?? "")];
      const queryText = own ? source.slice(from, from + length).join("") || other : other;
      const characters = [...queryText].length;
      const found = await lookup(lines, queryText);
      for (const kind of ["names", "containerNumbers"] as const) {
        const contained = lines[kind].some((text) => text.includes(queryText));
        if (characters < 3) expect(found[kind]).toBeNull();
        else if (contained || characters <= 5) expect(found[kind]).toBe(contained);
        if (contained && characters >= 3) hits++;
      }
    }),
    { numRuns: 1_000, seed: 11 },
  );
  expect(hits).toBeGreaterThan(100);
});

test("separates the pieces of accounts", async () => {
  const { rows } = await database.pool.query<{ found: boolean }>(
    "SELECT search_pieces($1, 'HARBOUR', '') @@ search_pieces_of($2, 'n', 'HARBOUR') AS found",
    [accountId, accountId.replace("a1b2", "a1b3")],
  );
  expect(rows).toEqual([{ found: false }]);
});

test("stores and finds a shipment with very many containers", async () => {
  const numbers = Array.from({ length: 5_000 }, (_, index) => `KITU${String(index * 1_999).padStart(7, "0")}`);
  expect(await lookup({ names: [], containerNumbers: numbers }, "KITU9993001")).toMatchObject({
    containerNumbers: true,
  });
});
