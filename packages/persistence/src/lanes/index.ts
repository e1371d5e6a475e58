export { createEtaAccuracyReader } from "./eta-accuracy-reader.ts";
export { createTransitTimeReader } from "./transit-time-reader.ts";
