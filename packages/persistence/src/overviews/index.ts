export { type ContainerLocationReader, createContainerLocationReader } from "./location-reader.ts";
export type { ContainerOverviewFilters, ShipmentOverviewFilters } from "./overview-filters.ts";
export {
  type ContainerOverview,
  type ContainerOverviewReader,
  createContainerOverviewReader,
  createShipmentOverviewReader,
  overviewGroupings,
  type ShipmentOverview,
  type ShipmentOverviewReader,
} from "./overview-reader.ts";
