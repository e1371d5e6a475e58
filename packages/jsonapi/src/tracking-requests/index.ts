export { InferNumberDocument, inferNumberBody, inferNumberDocument } from "./infer-number-document.ts";
export { createTrackingRequestDocument, editTrackingRequestDocument } from "./tracking-request-documents.ts";
export { TrackingRequestResource, trackingRequestResource } from "./tracking-request-resource.ts";
