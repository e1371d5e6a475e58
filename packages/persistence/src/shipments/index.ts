export { createShipmentRepository } from "./shipment-repository.ts";
export { toShipments } from "./shipment-row.ts";
export { createTrackedStateReader } from "./tracked-state-reader.ts";
export { refreshContainer, resumeTracking, stopTracking } from "./tracking-state.ts";
