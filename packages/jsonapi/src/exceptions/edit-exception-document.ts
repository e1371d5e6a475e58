import { z } from "zod";
import { text, writtenTime } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

/** docs/exceptions.md. What is absent stays as it is. */
export const editExceptionDocument = {
  name: "EditException",
  type: "exception",
  attributes: z.strictObject({
    status: z.enum(["open", "resolved"]).optional().describe("`open` reopens it and ends its snooze."),
    owner: text(320).nullable().optional().describe("E-mail address of a member. Null: no owner."),
    snoozed_until: writtenTime
      .nullable()
      .optional()
      .describe("Future time at which the snooze ends. Null ends it now."),
    note: text(2_000).nullable().optional(),
  }),
  readOnly: attributeNames("exception"),
} satisfies WriteDocument;
