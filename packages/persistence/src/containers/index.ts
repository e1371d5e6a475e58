export { type ContainerLinkReader, createContainerLinkReader, linkedAtMost } from "./container-links.ts";
export { type ContainerRepository, createContainerRepository } from "./container-repository.ts";
export { type ContainerRow, toContainer } from "./container-row.ts";
export { findMatchingContainers, type MatchingContainer } from "./matching-containers.ts";
