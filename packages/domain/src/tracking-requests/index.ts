export { detectLine, normalizeRequestNumber, supportsRequestType } from "./detect-line.ts";
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
