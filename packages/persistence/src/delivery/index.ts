export type { AttemptOutcome, DeliveryAttempt, DeliveryTarget } from "./attempt.ts";
export { maintainAttemptPartitions } from "./attempt-partitions.ts";
export { limitBacklogs } from "./backlog-limit.ts";
export { type Claim, type ClaimKey, claimSizes } from "./claim.ts";
export { type ClaimCursor, claimDeliveries } from "./claim-deliveries.ts";
export {
  findQueuedClaims,
  type ReclaimedLeases,
  reclaimExpiredLeases,
  releaseClaims,
  renewInFlightClaims,
  renewQueuedClaims,
} from "./claim-leases.ts";
export { type ClaimStarter, createClaimStarter } from "./claim-starter.ts";
export { expireHeldDeliveries, holdDeliveries, resumeDeliveries } from "./held-deliveries.ts";
export {
  analyzeNotificationPartitions,
  countDefaultPartitionRows,
  createNotificationPartitions,
  dropNotificationPartition,
} from "./notification-partitions.ts";
export { type RetentionPosition, removeFailedOfOldWeeks, removeOldNotifications } from "./notification-retention.ts";
export { createOutcomeWriter, type OutcomeWriter } from "./outcome-writer.ts";
export { readDeliveryBacklog, readRelaySurvey } from "./relay-survey.ts";
export { type RepairCursor, repairOrphanedDeliveries } from "./repair-orphans.ts";
