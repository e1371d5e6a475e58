import { z } from "zod";
import { writtenTime } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

export const createShareLinkDocument = {
  name: "CreateShareLink",
  type: "share_link",
  attributes: z.strictObject({
    shows_references: z
      .boolean()
      .optional()
      .describe("Whether the page shows the reference numbers of the shipment and its containers. Default: false."),
    shows_fees: z.boolean().optional().describe("Whether the page shows the fees at the terminal. Default: false."),
    expires_at: writtenTime
      .nullable()
      .optional()
      .describe("Time at which the link expires. Default: in 30 days. Null: only when it is revoked."),
  }),
  readOnly: attributeNames("share_link"),
} satisfies WriteDocument;
