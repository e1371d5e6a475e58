import type { Party } from "@svc/domain/parties";
import { z } from "zod";
import { resourceObject } from "../resource.ts";

/** docs/contract/reference.md 2.7. */
export const PartyResource = resourceObject("party", { company_name: z.string() }, {})
  .omit({ relationships: true })
  .meta({ id: "Party" });

export type PartyResource = z.infer<typeof PartyResource>;

export function partyResource(party: Party, baseUrl: string): PartyResource {
  return {
    id: party.id,
    type: "party",
    attributes: { company_name: party.companyName },
    links: { self: `${baseUrl}/parties/${party.id}` },
  };
}
