export { PartyResource, partyDocument, partyResource } from "./party-resource.ts";
