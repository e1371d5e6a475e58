export { countedInStatusAtMost, type StatusCounts } from "./count-by-status.ts";
export type { ShipmentFilters } from "./shipment-filters.ts";
export { createShipmentRepository, type ShipmentRepository, type ShipmentSortKey } from "./shipment-repository.ts";
export { toShipments } from "./shipment-row.ts";
export { createTrackedStateReader, type TrackedStateReader } from "./tracked-state-reader.ts";
export { refreshContainer, resumeTracking, stopTracking } from "./tracking-switch.ts";
