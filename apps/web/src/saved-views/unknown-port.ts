import { isLocode } from "@svc/domain/identifiers";
import type { Html } from "@svc/views";
import { noticeBanner } from "../pages/notice-banner.ts";

/** Renders that no port has the name or UN/LOCODE of a list's filter. `port`: that of its query. */
export function unknownPortNote(port: string): Html {
  const problem = isLocode(port)
    ? `No port or place has the UN/LOCODE or name “${port}”.`
    : `No port has the name “${port}”: the list is not filtered by it.`;
  return noticeBanner("warning", `${problem} Enter another name or a UN/LOCODE.`);
}
