export { createEdiFileReader, findEdiFile } from "./edi-file-reader.ts";
export {
  activeAccounts,
  finishEdiFile,
  removeOldEdiFiles,
  storeEdiFile,
  storeRejectedEdiFile,
} from "./edi-file-store.ts";
export {
  claimEdiSource,
  type EdiSourceClaim,
  type EdiSourceError,
  type EdiSourceKind,
  listEdiSources,
  saveEdiSource,
  settleEdiSource,
} from "./edi-sources.ts";
