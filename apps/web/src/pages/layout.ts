import { plural } from "@svc/domain";
import { type Html, html } from "@svc/views";
import { type Caller, may, openExceptionsMax } from "../access/callers.ts";
import { assetPath } from "../asset-files.ts";
import { readerTheme } from "../theme/reader-theme.ts";
import { menu, menuEntries } from "./menu.ts";
import { userMenu } from "./user-menu.ts";

const sections = [
  ["attention", "Attention", "/attention"],
  ["shipments", "Shipments", "/shipments"],
  ["containers", "Containers", "/containers"],
  ["map", "Map", "/map"],
  ["carriers", "Carriers", "/carriers"],
  ["developers", "Developers", "/developers"],
  ["account", "Account", "/account"],
] as const;

/** The navigation entry that a page belongs to. */
export type Section = (typeof sections)[number][0];

export interface PageOptions {
  readonly title: string;
  readonly caller: Caller | null;
  readonly content: Html;
  /** Default: shipments. */
  readonly section?: Section | null;
  /** Whether a signed-in user finds the search field in the header. Default true. */
  readonly hasSearch?: boolean;
  /** The stylesheet of records (a shipment, a container) and charts instead of the usual one, or another besides it. */
  readonly styles?: "record" | "attention" | "voyages";
}

function jump(): Html {
  return html`
    <form class="jump" role="search" aria-label="Everything" action="/track/search">
      <label class="hidden" for="jump">Number, reference, port, vessel, customer or page</label>
      <input id="jump" name="q" type="search" maxlength="100" placeholder="Search number or name"
        aria-keyshortcuts="Control+K Meta+K">
      <input type="hidden" name="open" value="match">
      <span class="shortcut muted" aria-hidden="true" title="Ctrl K searches everything"><kbd>Ctrl K</kbd></span>
      <button class="quiet">Search</button>
    </form>`;
}

/** The way to the search on a phone, where a list has its own field in place of that of the header. */
const searchLink = html`<a class="button quiet search-link" href="/track/search" aria-label="Search everything"><svg
  viewBox="0 0 16 16" width="18" height="18" aria-hidden="true" fill="none" stroke="currentcolor"
  stroke-width="2"><circle cx="6.5" cy="6.5" r="4.5"/><path d="m10 10 5 5"/></svg></a>`;

/** Number of open exceptions beside "Attention"; a live page replaces it when it changes. */
function openExceptions({ openExceptions: count = 0 }: Caller): Html {
  const shownCount = count > openExceptionsMax ? `${openExceptionsMax}+` : count;
  const text = `${shownCount} open ${plural(count, "exception")}, yours or without an owner`;
  return html`<span data-part="open-exceptions">${
    count > 0 &&
    html` <span class="open-count" title="${text}"><span aria-hidden="true">${shownCount}</span><span
      class="hidden">(${text})</span></span>`
  }</span>`;
}

/** Number of sections that fit beside each other on a phone. */
const phoneSections = 3;

/** The sections in one line. A phone has the last ones in a menu instead: styles show one of the two. */
function navigation(current: Section | null, caller: Caller): Html {
  const link = ([section, label, path]: (typeof sections)[number]): Html => {
    const mark = section === current && html` aria-current="true"`;
    return html`<a href="${path}"${mark}>${label}${section === "attention" && openExceptions(caller)}</a>`;
  };
  return html`
    <nav class="sections" aria-label="Main">
      ${sections.map(link)}
      ${menu({
        id: "more-sections",
        label: "More",
        className: "more-sections",
        content: html`<div class="menu">${menuEntries(sections.slice(phoneSections).map(link))}</div>`,
      })}
    </nav>`;
}

/** The way to the form that starts tracking, for members who may track; on a phone only a plus sign. */
const trackButton = (caller: Caller): Html | false =>
  may(caller, "track") && html`<a class="button track-button" href="/track" title="Track a number">Track</a>`;

/** The icon as inline SVG in the colours of the page. */
export const brandMark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="M6 19h20l-3 6H9zM9 12h6v5H9zm8 0h6v5h-6zm-4-6h6v4h-6z"/></svg>`;

/** The layout of every page. */
export function layout({ title, caller, content, section = "shipments", hasSearch = true, styles }: PageOptions): Html {
  const theme = readerTheme();
  return html`<!doctype html>
<html lang="en"${theme && html` data-theme="${theme}"`}>
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="${theme ?? "light dark"}">
  <title>${title} · Shipment Tracking</title>
  <link rel="stylesheet" href="${assetPath(styles === "record" ? "record.css" : "style.css")}">
  ${section === "developers" && html`<link rel="stylesheet" href="${assetPath("developers.css")}">`}
  ${styles && styles !== "record" && html`<link rel="stylesheet" href="${assetPath(`${styles}.css`)}">`}
  <link rel="stylesheet" href="${assetPath("print.css")}" media="print">
  <link rel="icon" href="${assetPath("icon.svg")}" type="image/svg+xml">
  <script type="module" src="${assetPath("web.js")}"></script>
</head>
<body>
  <a class="skip" href="#main">Skip to content</a>
  <header>
    <a class="brand" href="/">${brandMark} Shipment Tracking</a>
    ${caller?.user && navigation(section, caller)}
    ${caller?.user && hasSearch && html`${jump()}${searchLink}`}
    ${caller && trackButton(caller)}
    ${caller?.user && userMenu(caller.user)}
  </header>
  <main id="main">${content}</main>
</body>
</html>
`;
}
