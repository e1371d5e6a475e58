export { type EdiFault, UnreadableFile } from "./fault.ts";
export type { EdiEvent, EdiNote, EdiSource } from "./message-facts.ts";
export type { Interchange } from "./messages.ts";
export { findPartnerProfile, type PartnerProfile, partnerNames, partnerProfiles } from "./profiles.ts";
export {
  type EdiReading,
  ediBytesMax,
  ediEventsMax,
  readEdi,
  tooLarge,
  type UnmappedCode,
} from "./read-edi.ts";
export type { EdiSyntax } from "./segments.ts";
