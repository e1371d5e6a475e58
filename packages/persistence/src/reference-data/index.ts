export { readEventNames } from "./event-names.ts";
export { createIncludedReferenceData } from "./included-reference-data.ts";
export { type CachedPlaceDirectory, loadPlaceDirectory } from "./place-directory.ts";
export { createReferenceDataRepository } from "./reference-data-repository.ts";
export { type CatalogueLine, readShippingLineCatalogue } from "./shipping-line-catalogue.ts";
