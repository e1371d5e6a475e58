export type { AttemptOutcome, DeliveryAttempt, DeliveryTarget } from "./attempt.ts";
export { type AttemptParts, maintainAttempts } from "./attempt-retention.ts";
export { limitBacklogs, type Overflow } from "./backlog-limit.ts";
export { type Claim, type ClaimKey, claimSizes } from "./claim.ts";
export { type ClaimCursor, type ClaimRequest, type ClaimRound, claimDeliveries } from "./claim-deliveries.ts";
export {
  findQueuedClaims,
  type ReclaimedLeases,
  reclaimExpiredLeases,
  releaseClaims,
  renewInFlightClaims,
  renewQueuedClaims,
} from "./claim-leases.ts";
export { type ClaimStarter, createClaimStarter } from "./claim-starter.ts";
export {
  type DeliveryBacklog,
  type DeliverySchedule,
  readDeliveryBacklog,
  readDeliverySchedule,
} from "./delivery-schedule.ts";
export { expireHeldDeliveries, holdDeliveries, resumeDeliveries } from "./held-deliveries.ts";
export { type RemovedNotifications, type RetentionPosition, removeOldNotifications } from "./notification-retention.ts";
export { createOutcomeWriter, type OutcomeWriter, type OutcomeWriterOptions } from "./outcome-writer.ts";
export { type RepairCursor, repairOrphanedDeliveries } from "./repair-orphans.ts";
export type { Deactivation } from "./settle-outcomes.ts";
