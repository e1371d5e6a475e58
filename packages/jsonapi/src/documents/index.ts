export { asksForPage, linkHeader, linksOfDocument, linksOfWhole, pageLinks } from "./page-links.ts";
export {
  documentAsOf,
  documentOf,
  pageOf,
  type ResourceDocument,
  resourceDocument,
  wholeListOrPageOf,
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
