export { createContainerRouteReader } from "./container-route-reader.ts";
export type { ContainerRouteSource } from "./route-source-reader.ts";
