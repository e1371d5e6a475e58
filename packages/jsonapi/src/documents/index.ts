export { completeListLinks, documentSelfLink, linkHeader, pageLinks, requestsPage } from "./page-links.ts";
export {
  asOfDocumentSchema,
  documentSchema,
  listOrPageSchema,
  pageSchema,
  type ResourceDocument,
  resourceDocument,
} from "./resource-document.ts";
export {
  idInBody,
  readPlainBody,
  readResourceObject,
  readWriteDocument,
  sendsReadOnly,
  type WriteDocument,
  type WrittenResource,
  writeDocumentSchema,
} from "./write-document.ts";
