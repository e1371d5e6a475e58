export { partyDocument } from "./party-documents.ts";
export { PartyResource, partyResource } from "./party-resource.ts";
