export { createContainerLocationReader } from "./location-reader.ts";
export type { ContainerOverviewFilters, ShipmentOverviewFilters } from "./overview-filters.ts";
export {
  type ContainerOverview,
  createContainerOverviewReader,
  createShipmentOverviewReader,
  overviewGroupings,
  type ShipmentOverview,
} from "./overview-reader.ts";
