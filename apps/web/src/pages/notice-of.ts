import { type Html, html } from "@svc/views";
import type { Request } from "express";
import { queryText } from "../http/read-request.ts";

/** The notice for the action named by `?done=`; undefined for an unknown name. */
export function noticeOf(request: Request, notices: Readonly<Record<string, string>>): string | undefined {
  const done = queryText(request, "done");
  return Object.hasOwn(notices, done) ? notices[done] : undefined;
}

/** Confirms that an action succeeded; other notices say what needs attention. */
export const doneNotice = (words: Html | string): Html => html`<p class="notice done" role="status">${words}</p>`;
