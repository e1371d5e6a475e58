import type { Request } from "express";
import { queryText } from "../http/query-text.ts";

/** What a page says was just done, by the word for it in its address (`?done=`); undefined for a word that it does not know. */
export function noticeOf(request: Request, notices: Readonly<Record<string, string>>): string | undefined {
  const done = queryText(request, "done");
  return Object.hasOwn(notices, done) ? notices[done] : undefined;
}
