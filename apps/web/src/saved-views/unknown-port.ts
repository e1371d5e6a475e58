import type { Html } from "@svc/views";
import { noticeBox } from "../pages/notice-box.ts";
import { isLocode } from "./port-choice.ts";

/** Says that a list is not filtered by a text, because no port has such a name. `port`: that of its query. */
export const unknownPortNote = (port: string): Html | null =>
  port === "" || isLocode(port)
    ? null
    : noticeBox(
        "warning",
        `No port has the name “${port}”: the list is not filtered by it. Enter another name or a UN/LOCODE.`,
      );
