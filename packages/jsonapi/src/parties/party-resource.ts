import type { Party } from "@svc/domain/parties";
import { z } from "zod";
import { text } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
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

/** docs/contract/reference.md 1.5: the document of creating and renaming. */
export const partyDocument = {
  name: "WriteParty",
  type: "party",
  attributes: z.strictObject({ company_name: text(200) }),
  readOnly: [],
} satisfies WriteDocument;
