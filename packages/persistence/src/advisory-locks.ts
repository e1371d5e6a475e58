import type { Statement } from "./sql.ts";

/**
 * Keys of PostgreSQL's advisory locks, which the services of every version share: the number of a lock does not change,
 * and no other lock gets it. The locks by account or member hash its id with the number as seed.
 */
export const advisoryLocks = {
  deliveryClaims: 7201120060,
  attemptPartitions: 7201120061,
  notificationRetention: 7201120062,
  webhooksByAccount: 7201120063,
  backlogLimit: 7201120064,
  alertSubscriptionsByAccount: 7201120065,
  notificationPartitions: 7201120066,
  calendarFeedsByMember: 7201120067,
  savedViewsByAccount: 7201120068,
  plannerStatistics: 7201120069,
  customFieldDefinitionsByAccount: 7201120070,
  demurrageRulesByAccount: 7201125193,
  emissionFactorsByAccount: 7201126020,
} as const;

/**
 * The seed of the lock of saved views in most former builds, which is also the number of `notificationPartitions`.
 * Creations acquire both locks during an upgrade: remove this one a version after its last use.
 */
export const formerSavedViewsByAccount = 7201120066;

/**
 * Acquires locks of the account $1, until the transaction ends. A statement of its own, because only the next one is
 * sure to see what the previous holder committed.
 */
export const accountLock = (name: string, ...locks: readonly number[]): Statement => ({
  name,
  text: `SELECT ${locks.map((lock) => `pg_advisory_xact_lock(hashtextextended($1::text, ${lock}))`).join(", ")}`,
});
