export {
  type AccessCounts,
  addAccessCounts,
  lockCarrierAccess,
  readServiceCarriers,
  registerServiceCarriers,
  saveCarrierAccess,
} from "./carrier-access-store.ts";
export {
  type CarrierCheckClaim,
  claimCarrierChecks,
  hasRecoveredMeanwhile,
  renewProbes,
  rescheduleFailedSubjects,
} from "./carrier-checks.ts";
export { createCarrierConnectionRepository } from "./carrier-connection-repository.ts";
export { applyConnectionChanges } from "./connection-changes.ts";
export { findConnectionCredentials } from "./connection-credentials.ts";
export {
  type ConnectionTestClaim,
  claimConnectionTests,
  finishConnectionTest,
  releaseConnectionTest,
} from "./connection-tests.ts";
