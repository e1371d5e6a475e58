/** The thresholds of the rules of exceptions, and of the filters and colours that follow them (docs/exceptions.md). */
export const exceptionThresholds = {
  /** A last free day so many days ahead is soon. */
  lastFreeDaySoonDays: 3,
  /** An arrival so many days later than first estimated is late. */
  lateArrivalDays: 2,
  /** Days from the pickup after which an empty container should be back. */
  emptyReturnDays: 5,
  /** Days that a request may wait for its carrier to know the number. */
  awaitingManifestDays: 3,
  /** Days that a request may wait for its first reply. */
  pendingRequestDays: 1,
} as const;
