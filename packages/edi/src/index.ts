export { UnreadableFile } from "./fault.ts";
export type { EdiEvent } from "./message-facts.ts";
export { findPartnerProfile, partnerProfiles } from "./profiles.ts";
export {
  beginsAsEdi,
  type EdiReading,
  ediBytesMax,
  readEdi,
  tooLarge,
} from "./read-edi.ts";
