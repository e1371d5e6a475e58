export { EtaAccuracyResource, etaAccuracyResource } from "./eta-accuracy-resource.ts";
export { TransitTimeResource, transitTimeResource } from "./transit-time-resource.ts";
