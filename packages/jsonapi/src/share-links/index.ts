export { createShareLinkDocument } from "./share-link-document.ts";
export { ShareLinkResource, shareLinkResource } from "./share-link-resource.ts";
