export {
  type AccessOutcome,
  type AccessTimes,
  accessAfter,
  type CarrierAccess,
  type CarrierLimits,
  type DenialReason,
  failuresUntilOpen,
  isUnlimited,
  type Permit,
  permitRequest,
  permitTest,
  probeMs,
  unlimited,
  untouchedAccess,
} from "./carrier-access.ts";
export {
  type CarrierConnection,
  type ConnectionError,
  type ConnectionHealth,
  type ConnectionStatus,
  connectionStatus,
  connectionStatuses,
} from "./carrier-connection.ts";
export { type CarrierCredentials, type CredentialKind, credentialKinds } from "./carrier-credentials.ts";
export {
  type ConnectionTest,
  type ConnectionTestCode,
  connectionTestCodes,
  testContainerNumber,
} from "./connection-test.ts";
export { afterFailedCheck, afterPassedCheck, wasSeenAway } from "./reachability-check.ts";
