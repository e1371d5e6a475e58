import { createHash } from "node:crypto";
import { type Html, type HtmlValue, html } from "@svc/views";
import type { Request, Response } from "express";
import { sendPage } from "../http/send-page.ts";
import { layout, type PageOptions } from "./layout.ts";
import { withoutAges } from "./timestamps.ts";

/** A page that its script updates while it is visible (browser/live.ts). */
export interface LivePage {
  readonly page: Html;
  /** Hash of what the script replaces, without relative times: it changes only when that does. */
  readonly version: string;
}

/** A part of a live page that the script replaces when it changed. Input fields belong outside of parts. */
export function part(name: string, content: HtmlValue): Html {
  return html`<div data-part="${name}">${content}</div>`;
}

/** Events of every change in the account, for pages with many records. */
export const accountEvents = "/events";

export const shipmentEvents = (shipmentId: string): string => `/events?shipment=${shipmentId}`;

export interface LivePageOptions extends PageOptions {
  /** A change is due within seconds: without events, the script polls every second for a minute. */
  readonly isPending?: boolean;
  /** Address of the events after which the script requests the page again. Without: it polls the page. */
  readonly events?: string | null;
  /** The address that the script opens when the pending change arrived. */
  readonly opens?: string | null;
}

export function livePage(options: LivePageOptions): LivePage {
  // The script also replaces the count of the navigation.
  const openExceptions = options.caller?.openExceptions ?? "";
  const version = createHash("sha256")
    .update(withoutAges(`${options.isPending ?? false} ${options.opens ?? ""} ${openExceptions} ${options.content}`))
    .digest("base64url")
    .slice(0, 22);
  const { isPending = false, opens = null, events = null } = options;
  const content = html`<div data-live="${version}"${isPending && html` data-pending`}${events && html` data-events="${events}"`}${opens && html` data-opens="${opens}"`}>${options.content}</div>`;
  return { version, page: layout({ ...options, content }) };
}

/** Sends the page, or 304 when the script already has this version. */
export function sendLivePage(request: Request, response: Response, { page, version }: LivePage): void {
  const entityTag = `"${version}"`;
  response.set("ETag", entityTag);
  if (request.get("if-none-match") === entityTag) response.status(304).end();
  else sendPage(response, 200, page);
}
