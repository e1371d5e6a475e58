export { containerRoute, type RouteSource } from "./container-route.ts";
export { type MappedLeg, type MappedStop, type MappedVessel, type RouteMap, routeMap } from "./route-map.ts";
export type { RoutePlace, RouteRecords, RouteStop } from "./route-stop.ts";
export { splitRoute } from "./split-route.ts";
export { voyageTimes } from "./voyage-times.ts";
