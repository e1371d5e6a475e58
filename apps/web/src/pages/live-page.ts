import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { type Html, type HtmlValue, html } from "../http/html.ts";
import { sendPage } from "../http/send-page.ts";
import { layout, type PageOptions } from "./layout.ts";
import { withoutAges } from "./moment.ts";

/** A page that its script keeps up to date while somebody looks at it (browser/live.ts). */
export interface LivePage {
  readonly page: Html;
  /** Of what the page shows: the same text has the same version, however long ago what it tells of was. */
  readonly version: string;
}

/** A part of a live page that is put in place of the old one when it changed. What one types into stays outside of parts. */
export function part(name: string, content: HtmlValue): Html {
  return html`<div data-part="${name}">${content}</div>`;
}

export interface LivePageOptions extends PageOptions {
  /** Something is expected within seconds: the script asks each second for a minute. */
  readonly isPending?: boolean;
  /** Opened by the script once what was pending is there. */
  readonly opens?: string | null;
}

export function livePage(options: LivePageOptions): LivePage {
  const version = createHash("sha256")
    .update(withoutAges(`${options.isPending ?? false} ${options.opens ?? ""} ${options.content}`))
    .digest("base64url")
    .slice(0, 22);
  const { isPending = false, opens = null } = options;
  const content = html`<div data-live="${version}"${isPending && html` data-pending`}${opens && html` data-opens="${opens}"`}>${options.content}</div>`;
  return { version, page: layout({ ...options, content }) };
}

/** The page, or 304 to the script that has this version already. */
export function sendLivePage(request: Request, response: Response, { page, version }: LivePage): void {
  const entityTag = `"${version}"`;
  response.set("ETag", entityTag);
  if (request.get("if-none-match") === entityTag) response.status(304).end();
  else sendPage(response, 200, page);
}
