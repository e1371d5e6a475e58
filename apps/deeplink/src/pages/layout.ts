import type { Caller } from "../access/callers.ts";
import { type Html, html } from "../http/html.ts";
import { iconPath, stylesheetPath } from "./assets.ts";

export interface PageOptions {
  readonly title: string;
  readonly caller: Caller | null;
  readonly content: Html;
  /** A box in the header that jumps to whatever is typed. The list has a larger one of its own. */
  readonly jumpBox?: boolean;
}

function jump(): Html {
  return html`
    <form class="jump" role="search" action="/shipments/find">
      <label class="hidden" for="jump">Container, bill of lading, booking or reference</label>
      <input id="jump" name="q" type="search" maxlength="100" placeholder="Container, B/L, booking, reference">
      <button>Find</button>
    </form>`;
}

function account({ user }: Caller): Html | null {
  if (!user) return null;
  return html`
    <form class="account" method="post" action="/logout">
      <span title="${user.email}">${user.companyName}</span>
      <button class="quiet">Log out</button>
    </form>`;
}

/** The frame of every page. */
export function layout({ title, caller, content, jumpBox }: PageOptions): Html {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · Shipment Tracking</title>
  <link rel="stylesheet" href="${stylesheetPath}">
  <link rel="icon" href="${iconPath}" type="image/svg+xml">
</head>
<body>
  <a class="skip" href="#main">Skip to content</a>
  <header>
    <a class="brand" href="/shipments">Shipment Tracking</a>
    ${jumpBox && jump()}
    ${caller && account(caller)}
  </header>
  <main id="main">${content}</main>
</body>
</html>
`;
}
