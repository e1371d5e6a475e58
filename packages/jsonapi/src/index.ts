export { errorDescriptions } from "./error-descriptions.ts";
export {
  type ErrorContext,
  ErrorDocument,
  ErrorObject,
  errorAnchor,
  errorCodes,
  statusOf,
  toErrorDocument,
} from "./errors.ts";
export type { AnyResource } from "./resource.ts";
export { includable, type ResourceType, resourceSchemas } from "./resource-graph.ts";
export {
  attributeSource,
  type ErrorSource,
  type Fault,
  invalidAttribute,
  limitReached,
  notFound,
  statusByCode,
  TrackingError,
} from "./tracking-error.ts";
export { toDomainName, toDomainValue, toWireName, toWireValue } from "./wire-names.ts";
