export { findCandidates } from "./find-candidates.ts";
export { findMatchingShipments } from "./find-matching-shipments.ts";
export { findNamesakes, type Namesake } from "./find-namesakes.ts";
