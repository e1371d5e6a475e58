import { z } from "zod";
import { text } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";

/** docs/contract/reference.md 1.5: created and renamed by the same document. */
export const partyDocument = {
  name: "WriteParty",
  type: "party",
  attributes: z.strictObject({ company_name: text(200) }),
  readOnly: [],
} satisfies WriteDocument;
