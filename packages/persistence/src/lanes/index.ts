export * from "./eta-accuracy-reader.ts";
export * from "./transit-time-reader.ts";
