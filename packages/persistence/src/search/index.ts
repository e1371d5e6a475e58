export { findCandidates } from "./find-candidates.ts";
export { findFieldMatches } from "./find-field-matches.ts";
export { findMatchingShipments } from "./find-matching-shipments.ts";
export { findNamesakes } from "./find-namesakes.ts";
