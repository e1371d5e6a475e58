/**
 * Keys of PostgreSQL's advisory locks, which the services of every version share: a number is never used again. The
 * locks by account or member hash its id with the number as seed.
 */
export const advisoryLocks = {
  deliveryClaims: 7201120060,
  attemptPartitions: 7201120061,
  notificationRetention: 7201120062,
  webhooksByAccount: 7201120063,
  backlogLimit: 7201120064,
  alertSubscriptionsByAccount: 7201120065,
  /** One number for two locks: that of notification partitions is not hashed. */
  notificationPartitions: 7201120066,
  savedViewsByAccount: 7201120066,
  calendarFeedsByMember: 7201120067,
  plannerStatistics: 7201120069,
  demurrageRulesByAccount: 7201125193,
  emissionFactorsByAccount: 7201126020,
} as const;
