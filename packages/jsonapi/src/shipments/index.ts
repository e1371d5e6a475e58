export { editShipmentDocument } from "./edit-shipment-document.ts";
export { FreshnessResource, freshnessResource } from "./freshness-resource.ts";
export { shipmentIdentityDocument } from "./shipment-identity-document.ts";
export { ShipmentResource, shipmentResource } from "./shipment-resource.ts";
