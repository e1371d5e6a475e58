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

export function livePage(options: PageOptions): LivePage {
  const version = createHash("sha256")
    .update(withoutAges(String(options.content)))
    .digest("base64url")
    .slice(0, 22);
  const content = html`<div data-live="${version}">${options.content}</div>`;
  return { version, page: layout({ ...options, content }) };
}

/** The page, or 304 to the script that has this version already. */
export function sendLivePage(request: Request, response: Response, { page, version }: LivePage): void {
  const entityTag = `"${version}"`;
  response.set("ETag", entityTag);
  if (request.get("if-none-match") === entityTag) response.status(304).end();
  else sendPage(response, 200, page);
}
