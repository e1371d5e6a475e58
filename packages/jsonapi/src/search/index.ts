export { resolutionRecord } from "./resolution-record.ts";
export {
  containerSearchResult,
  SearchResultResource,
  shipmentSearchResult,
  trackingRequestSearchResult,
} from "./search-result-resource.ts";
