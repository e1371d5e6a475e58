export type { ContainerFilters } from "./container-filters.ts";
export { type ContainerLinkReader, createContainerLinkReader } from "./container-links.ts";
export { type ContainerRepository, type ContainerSortKey, createContainerRepository } from "./container-repository.ts";
export { type ContainerSummary, readContainerSummaries } from "./container-summaries.ts";
