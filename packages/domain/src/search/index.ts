export {
  type Resolution,
  resolveIdentifier,
  type SearchCandidate,
  type SearchRule,
  searchRules,
} from "./resolve-identifier.ts";
export { readSearchQuery, type SearchQuery, searchText } from "./search-query.ts";
