export { createShipmentRepository, type ShipmentRepository } from "./shipment-repository.ts";
export { toShipments } from "./shipment-row.ts";
export { createTrackedStateReader, type TrackedStateReader } from "./tracked-state-reader.ts";
export { refreshContainer, resumeTracking, stopTracking } from "./tracking-switch.ts";
