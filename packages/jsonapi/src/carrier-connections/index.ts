export {
  createCarrierConnectionDocument,
  editCarrierConnectionDocument,
  toCredentials,
} from "./carrier-connection-documents.ts";
export { CarrierConnectionResource, carrierConnectionResource } from "./carrier-connection-resource.ts";
export { CarrierResource, carrierResource } from "./carrier-resource.ts";
