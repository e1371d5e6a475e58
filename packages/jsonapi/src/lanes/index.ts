export * from "./eta-accuracy-resource.ts";
export * from "./transit-time-resource.ts";
