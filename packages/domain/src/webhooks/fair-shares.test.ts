import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { allowanceOf, type Claimable, type ClaimedWebhook, fastShares, slowShares } from "./fair-shares.ts";

const webhook: ClaimedWebhook = { isSlow: false, isFailing: false, concurrency: 50, claimed: 0, conforming: 1_000 };
const limits = { webhook: 50, round: 1_000 };

describe("allowanceOf", () => {
  test("is what the concurrency, the rate limit and the limits of webhook and round all admit", () => {
    const count = fc.integer({ min: 0, max: 100 });
    const arbitrary = fc.record({
      isSlow: fc.boolean(),
      isFailing: fc.boolean(),
      concurrency: count,
      claimed: count,
      conforming: count,
    });
    fc.assert(
      fc.property(arbitrary, count, count, (state, webhookLimit, roundLimit) => {
        const allowance = allowanceOf(state, { webhook: webhookLimit, round: roundLimit });
        const concurrency = state.isSlow && state.isFailing ? Math.min(2, state.concurrency) : state.concurrency;
        const admitted = [concurrency - state.claimed, webhookLimit - state.claimed, state.conforming, roundLimit];
        expect(admitted).toContain(allowance);
        expect(admitted.every((one) => one >= allowance)).toBe(true);
      }),
    );
  });

  test("is two probes for an endpoint that is slow and failing, less those that are claimed", () => {
    expect(allowanceOf({ ...webhook, isSlow: true, isFailing: true }, limits)).toBe(2);
    expect(allowanceOf({ ...webhook, isSlow: true, isFailing: true, claimed: 2 }, limits)).toBe(0);
    expect(allowanceOf({ ...webhook, isFailing: true }, limits)).toBe(50);
  });
});

interface Webhook extends Claimable {
  readonly id: number;
}

const arbitraryWebhooks = (minCount: number): fc.Arbitrary<Webhook[]> =>
  fc
    .array(
      fc.record({ accountId: fc.constantFrom("a", "b", "c"), allowance: fc.integer({ min: minCount, max: 60 }) }),
      {
        maxLength: 40,
      },
    )
    .map((all) => all.map((one, id) => ({ ...one, id })));

const arbitraryRandom = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })).map((numbers) => () => {
  const { value } = numbers.next();
  return value as number;
});

const sumOf = (webhooks: readonly Webhook[], accountId: string): number =>
  webhooks.reduce((sum, one) => sum + (one.accountId === accountId ? Math.max(0, one.allowance) : 0), 0);

/** Each account gets its whole demand or its whole share, and no webhook more than its own allowance. */
function expectShares(
  due: readonly Webhook[],
  shared: readonly Webhook[],
  shareOf: (accountId: string) => number,
): void {
  expect(shared.map(({ id }) => id)).toEqual(due.map(({ id }) => id));
  for (const [index, { allowance }] of shared.entries()) {
    expect(allowance).toBeGreaterThanOrEqual(0);
    expect(allowance).toBeLessThanOrEqual(Math.max(0, due[index]?.allowance ?? 0));
  }
  for (const accountId of ["a", "b", "c"]) {
    expect(sumOf(shared, accountId)).toBe(Math.min(sumOf(due, accountId), shareOf(accountId)));
  }
}

describe("slowShares", () => {
  test("gives each account what it demands, up to 32 concurrent deliveries, 128 if it is the only one", () => {
    const claimedCounts = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.integer({ min: 0, max: 150 }));
    fc.assert(
      fc.property(arbitraryWebhooks(-5), claimedCounts, arbitraryRandom, (due, counts, random) => {
        const max = new Set(due.map(({ accountId }) => accountId)).size === 1 ? 128 : 32;
        const shared = slowShares(due, new Map(Object.entries(counts)), random);
        expectShares(due, shared, (accountId) => Math.max(0, max - (counts[accountId] ?? 0)));
      }),
    );
  });

  test("serves every webhook of an account in time, because the order is random", () => {
    const due = Array.from({ length: 20 }, (_, id) => ({ id, accountId: id === 0 ? "a" : "b", allowance: 10 }));
    const served = new Set<number>();
    for (let round = 0; round < 200; round += 1) {
      for (const { id, allowance } of slowShares(due, new Map(), Math.random)) if (allowance > 0) served.add(id);
    }
    expect(served.size).toBe(20);
  });
});

describe("fastShares", () => {
  test("gives each account what it demands, up to an equal share of the round of at least 50", () => {
    const rounds = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(arbitraryWebhooks(1), rounds, arbitraryRandom, (due, limit, random) => {
        const shared = fastShares(due, limit, random);
        const accountIds = [...new Set(due.map(({ accountId }) => accountId))];
        const share = Math.max(50, Math.floor(limit / accountIds.length));
        const demand = accountIds.map((accountId) => sumOf(due, accountId));
        const isUndivided = demand.reduce((sum, one) => sum + one, 0) <= limit || demand.every((one) => one <= share);
        expect(shared === null).toBe(isUndivided || accountIds.length < 2);
        if (shared !== null) expectShares(due, shared, () => share);
      }),
    );
  });

  test("divides a round between an account with 300 webhooks and one with a single webhook", () => {
    const noisy = Array.from({ length: 300 }, (_, id) => ({ id, accountId: "a", allowance: 5 }));
    const shared = fastShares([...noisy, { id: 300, accountId: "b", allowance: 40 }], 1_000, Math.random) ?? [];
    expect([sumOf(shared, "a"), sumOf(shared, "b")]).toEqual([500, 40]);
  });
});
