import { beforeAll, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { readSearchQuery, resolveIdentifier, type SearchCandidate } from "@svc/domain/search";
import { started } from "@svc/testkit/started";
import fc from "fast-check";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { findCandidates } from "./find-candidates.ts";
import { findMatchingShipments } from "./find-matching-shipments.ts";
import { addShipment } from "./testing/shipments.ts";

const database = started(openTestDatabase);
let account: string;
/** All records of the account, from which the domain selects the right result. */
const everything: SearchCandidate[] = [];

/** More shipments than a part is first searched in, and not more than a text of two characters is searched in. */
const shipments = 700;
const letter = fc.constantFrom("A", "B", "É", "1", "2", "3");
const carrierNumber = fc.string({ unit: letter, minLength: 4, maxLength: 6 });
const containerNumber = fc.stringMatching(/^[AB]{2}U[123]{4}$/);
const reference = fc.string({
  unit: fc.constantFrom("a", "B", "é", "ß", "1", "-", " ", "%", "_", ".", "/", "\\", "'", "&", "\u200b"),
  minLength: 1,
  maxLength: 9,
});
const arbitraryQuery = fc.oneof(
  reference,
  fc.tuple(reference, fc.nat(5), fc.nat(9)).map(([text, from, to]) => text.slice(from, to)),
  carrierNumber,
  containerNumber,
  fc.tuple(containerNumber, fc.nat(4), fc.nat(7)).map(([number, from, to]) => number.slice(from, to).toLowerCase()),
  fc.tuple(carrierNumber, fc.nat(3), fc.nat(6)).map(([number, from, to]) => number.slice(from, to)),
  fc
    .tuple(fc.oneof(carrierNumber, containerNumber), fc.constantFrom(" ", "-", ".", "/", "\u200b"), fc.nat(4))
    .map(([number, sign, at]) => number.slice(0, at) + sign + number.slice(at)),
);

beforeAll(async () => {
  account = await addAccount(database);
  const plans = fc.sample(
    fc.record({
      number: carrierNumber,
      bookingNumber: carrierNumber,
      refNumbers: fc.array(reference, { maxLength: 2 }),
      containers: fc.uniqueArray(containerNumber, { maxLength: 2 }),
      containerRefNumbers: fc.array(reference, { maxLength: 1 }),
      day: fc.integer({ min: 1, max: 28 }),
    }),
    { numRuns: shipments, seed: 20261121 },
  );
  for (const [index, { day, ...plan }] of plans.entries()) {
    const createdAt = `2026-02-${String(day).padStart(2, "0")}T00:00:00.000Z`;
    const number = `${plan.number}${index}`;
    const { id, containerIds } = await addShipment(database, account, { ...plan, number, createdAt });
    const shipment = {
      shipmentId: id,
      shipmentCreatedAt: instant(createdAt),
      shipmentNumbers: [number, plan.bookingNumber],
      refNumbers: plan.refNumbers,
    };
    everything.push({ ...shipment, container: null });
    for (const [containerIndex, containerId] of containerIds.entries()) {
      const container = {
        id: containerId,
        number: plan.containers[containerIndex] ?? "",
        refNumbers: plan.containerRefNumbers,
      };
      everything.push({ ...shipment, container });
    }
  }
  await database.pool.query("ANALYZE shipments, containers, search_texts");
});

test("resolves to the same result from the candidates as from all shipments, and the search contains it", async () => {
  const rules = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(arbitraryQuery, async (text) => {
      const query = readSearchQuery(text);
      if (!query) return;
      const found = resolveIdentifier(query, await findCandidates(database.tenantSql, account, query));
      expect(found).toEqual(resolveIdentifier(query, everything));
      if (found) {
        const matching = await findMatchingShipments(database.tenantSql, account, query, 5);
        expect(matching.map(({ id }) => id)).toContain(found.shipmentId);
      }
      rules.set(found?.rule ?? "none", (rules.get(found?.rule ?? "none") ?? 0) + 1);
    }),
    { numRuns: 600, seed: 7 },
  );
  expect([...rules.keys()].sort()).toEqual([
    "exact_container",
    "exact_shipment",
    "none",
    "partial_container",
    "partial_shipment",
  ]);
});
