export {
  type AccessOutcome,
  accessAfter,
  type CarrierAccess,
  type CarrierLimits,
  failuresUntilOpen,
  isUnlimited,
  type Permit,
  permitRequest,
  permitTest,
  probeMs,
  unlimited,
} from "./carrier-access.ts";
export {
  type CarrierConnection,
  type ConnectionError,
  type ConnectionHealth,
  type ConnectionStatus,
  connectionStatus,
  connectionStatuses,
  type FailingStatus,
  failingStatusLabels,
} from "./carrier-connection.ts";
export { type CarrierCredentials, type CredentialKind, credentialKinds } from "./carrier-credentials.ts";
export {
  type ConnectionTest,
  type ConnectionTestCode,
  connectionTestCodes,
  testContainerNumber,
} from "./connection-test.ts";
export { afterFailedCheck, afterPassedCheck, wasFoundUnreachable } from "./reachability-check.ts";
