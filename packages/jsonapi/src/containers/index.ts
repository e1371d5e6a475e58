export { ContainerPositionsDocument, containerPositionsDocument } from "./container-positions.ts";
export { ContainerResource, containerResource, withContainerLinks } from "./container-resource.ts";
export { editContainerDocument } from "./edit-container-document.ts";
export { RouteLocationResource, routeLocationResource } from "./route-location-resource.ts";
export { routeMapDocument } from "./route-map-document.ts";
export { RouteMapDocument } from "./route-map-schema.ts";
export { RouteResource, routeResource } from "./route-resource.ts";
