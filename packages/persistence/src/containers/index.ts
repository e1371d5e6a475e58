export { createContainerLinkReader, linkedMax } from "./container-links.ts";
export { createContainerRepository } from "./container-repository.ts";
export { type ContainerRow, toContainer } from "./container-row.ts";
export { findMatchingContainers } from "./matching-containers.ts";
