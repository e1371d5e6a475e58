export { FreshnessResource, freshnessResource } from "./freshness-resource.ts";
export { editShipmentDocument, shipmentIdentityDocument } from "./shipment-documents.ts";
export { ShipmentResource, shipmentResource } from "./shipment-resource.ts";
export { TrackingSummaryResource, trackingSummaryResource } from "./tracking-summary-resource.ts";
