/** A webhook of an account, and the number of its due deliveries that may be claimed. */
export interface Claimable {
  readonly accountId: string;
  /** Not above 0 at a limit of the webhook. */
  readonly allowance: number;
}

/** What limits the concurrent deliveries of a webhook. */
export interface ClaimedWebhook {
  readonly isSlow: boolean;
  readonly isFailing: boolean;
  readonly concurrency: number;
  /** Deliveries that are queued or in flight. */
  readonly claimed: number;
  /** Number of deliveries that conform to its rate limit now. */
  readonly conforming: number;
}

/** Concurrency of an endpoint that is slow and failing: only probes. */
const probesMax = 2;
/**
 * Maximum number of concurrent slow deliveries of one account, so that its slow endpoints leave capacity for others;
 * more while no other account has any due.
 */
const accountSlowMax = 32;
const soleAccountSlowMax = 128;
/** Smallest share of an account in a round of the fast lane: two jobs, so that jobs stay large. */
const accountFastMin = 50;

/**
 * The number of deliveries that a webhook may claim in a round, whatever is due to others.
 * @param limits maximum number of its concurrent deliveries, and of deliveries of the round.
 */
export function allowanceOf(
  { isSlow, isFailing, concurrency, claimed, conforming }: ClaimedWebhook,
  limits: { readonly webhook: number; readonly round: number },
): number {
  const concurrencyLimit = isSlow && isFailing ? Math.min(probesMax, concurrency) : concurrency;
  return Math.min(Math.min(limits.webhook, concurrencyLimit) - claimed, conforming, limits.round);
}

/** Divides the share of each account among its webhooks in random order, so that none is always last. */
function divide<One extends Claimable>(
  due: readonly One[],
  shares: ReadonlyMap<string, number>,
  random: () => number,
): One[] {
  const left = new Map(shares);
  const shuffled = due.map((one, index) => ({ one, index, rank: random() })).toSorted((a, b) => a.rank - b.rank);
  const divided = shuffled.map(({ one, index }) => {
    const share = left.get(one.accountId) ?? 0;
    const allowance = Math.max(0, Math.min(one.allowance, share));
    left.set(one.accountId, share - allowance);
    return { one: { ...one, allowance }, index };
  });
  return divided.toSorted((a, b) => a.index - b.index).map(({ one }) => one);
}

/**
 * The slow lane: each account has a share of the concurrency. Its claimed deliveries count, because those of slow
 * endpoints last long.
 * @param claimed deliveries of slow webhooks that are queued or in flight, by account.
 * @param random in [0, 1).
 * @returns the webhooks in the order of `due`, with their shares as allowance.
 */
export function slowShares<One extends Claimable>(
  due: readonly One[],
  claimed: ReadonlyMap<string, number>,
  random: () => number,
): One[] {
  const accountIds = [...new Set(due.map(({ accountId }) => accountId))];
  const max = accountIds.length === 1 ? soleAccountSlowMax : accountSlowMax;
  return divide(due, new Map(accountIds.map((id) => [id, Math.max(0, max - (claimed.get(id) ?? 0))])), random);
}

/**
 * Fair scheduling by account in the fast lane: an account with hundreds of webhooks gets no more than its share of a
 * round while other accounts have deliveries due and the round cannot serve all.
 * @param due webhooks that may claim at least one delivery.
 * @param limit deliveries of the round.
 * @param random in [0, 1).
 * @returns null when the round serves all, there is only one account, or none exceeds its share.
 */
export function fastShares<One extends Claimable>(
  due: readonly One[],
  limit: number,
  random: () => number,
): One[] | null {
  const demand = new Map<string, number>();
  for (const { accountId, allowance } of due) demand.set(accountId, (demand.get(accountId) ?? 0) + allowance);
  const counts = [...demand.values()];
  const share = Math.max(accountFastMin, Math.floor(limit / demand.size));
  const isScarce = counts.reduce((sum, count) => sum + count, 0) > limit;
  if (demand.size < 2 || !isScarce || counts.every((count) => count <= share)) return null;
  return divide(due, new Map([...demand.keys()].map((id) => [id, share])), random);
}
