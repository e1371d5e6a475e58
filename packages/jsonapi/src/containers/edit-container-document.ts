import { z } from "zod";
import { refNumbers } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

/** docs/contract/specification.md, Edit a container. Absent attributes are not changed, `[]` clears. */
export const editContainerDocument = {
  name: "EditContainer",
  type: "container",
  attributes: z.strictObject({ ref_numbers: refNumbers.optional() }),
  readOnly: attributeNames("container"),
} satisfies WriteDocument;
