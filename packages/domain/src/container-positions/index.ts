export { locationByLastEvent } from "./location-by-last-event.ts";
export {
  type ContainerPlace,
  type ContainerPlaces,
  type LocatedContainer,
  placeContainers,
  statusesOffTheMap,
} from "./place-containers.ts";
