export { seedDemoAccount } from "./demo-account.ts";
export { seedReferenceData } from "./reference-data.ts";
