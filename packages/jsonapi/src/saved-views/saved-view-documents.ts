import { viewLists } from "@svc/domain/saved-views";
import { z } from "zod";
import { text } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

const settings = {
  name: text(100).describe(
    "Name, unique without regard to case among the shared views of the list or those of the member.",
  ),
  filters: z
    .record(z.string().max(50), text(100))
    .optional()
    .describe("All filters of the view, by name. Default: none."),
  sort: text(50).nullable().optional(),
  columns: z.array(text(100)).max(150).meta({ uniqueItems: true }).optional(),
  shared: z
    .boolean()
    .optional()
    .describe("Whether the view is shared with all members. Default false: a view of the caller's member."),
  is_default: z.boolean().optional().describe("Whether the list opens with this view for the caller's member."),
};
const created = { list: z.enum(viewLists), ...settings };

const readOnly = (writable: object) => attributeNames("saved_view").filter((name) => !Object.hasOwn(writable, name));

export const createSavedViewDocument = {
  name: "CreateSavedView",
  type: "saved_view",
  attributes: z.strictObject(created),
  readOnly: readOnly(created),
} satisfies WriteDocument;

/** Absent attributes are not changed. */
export const editSavedViewDocument = {
  name: "EditSavedView",
  type: "saved_view",
  attributes: z.strictObject(settings).partial(),
  readOnly: readOnly(settings),
} satisfies WriteDocument;
