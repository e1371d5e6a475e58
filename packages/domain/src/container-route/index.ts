export { containerRoute, type RouteSource } from "./container-route.ts";
export { type EstimatedVessel, type MappedLeg, type MappedStop, type RouteMap, routeMap } from "./route-map.ts";
export type { RoutePlace, RouteRecords, RouteStop } from "./route-stop.ts";
export { voyageTimes } from "./voyage-times.ts";
