export { createContainerLocationReader } from "./location-reader.ts";
export type { ContainerOverviewFilters, ShipmentOverviewFilters } from "./overview-filters.ts";
export {
  createContainerOverviewReader,
  createShipmentOverviewReader,
  missingSortValues,
  overviewGroupings,
} from "./overview-reader.ts";
