export { detectCarrier, normalizeRequestNumber, supportsRequestType } from "./detect-carrier.ts";
export { failedReasonText } from "./failed-reason-text.ts";
export {
  type FailedReason,
  failedReasons,
  type RequestType,
  requestTypes,
  type SubjectKind,
  type TrackingRequest,
  type TrackingRequestStatus,
  trackingRequestFields,
  trackingRequestStatuses,
} from "./tracking-request.ts";
