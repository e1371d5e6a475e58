import { z } from "zod";
import { text } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";

/** docs/contract/reference.md 1.5: the document of creating and renaming. */
export const partyDocument = {
  name: "WriteParty",
  type: "party",
  attributes: z.strictObject({ company_name: text(200) }),
  readOnly: [],
} satisfies WriteDocument;
