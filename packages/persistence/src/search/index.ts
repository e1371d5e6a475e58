export { findCandidates } from "./find-candidates.ts";
export { findMatchingShipments } from "./find-matching-shipments.ts";
export { findNamesakes } from "./find-namesakes.ts";
