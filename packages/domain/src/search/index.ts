export { isWholeNumber } from "./is-whole-number.ts";
export { nearestNames } from "./nearest-names.ts";
export { editDistance, nearestPlaces } from "./nearest-places.ts";
export { otherSpellings } from "./other-spellings.ts";
export { type Resolution, resolveIdentifier, type SearchCandidate } from "./resolve-identifier.ts";
export { readSearchQuery, type SearchQuery, searchText } from "./search-query.ts";
