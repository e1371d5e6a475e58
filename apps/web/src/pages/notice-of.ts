import type { Request } from "express";
import { queryText } from "../http/read-request.ts";

/** The notice for the action named by `?done=`; undefined for an unknown name. */
export function noticeOf(request: Request, notices: Readonly<Record<string, string>>): string | undefined {
  const done = queryText(request, "done");
  return Object.hasOwn(notices, done) ? notices[done] : undefined;
}
