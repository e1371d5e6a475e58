import { type Html, html } from "@svc/views";
import { assetPath } from "../asset-files.ts";
import { brandMark } from "../pages/layout.ts";

/** The layout of pages that need no login: no navigation, no script, no link into the application. */
export function publicLayout(options: {
  readonly title: string;
  /** The company whose page it is; null: none. */
  readonly companyName: string | null;
  readonly content: Html;
  readonly foot: Html | null;
}): Html {
  const { title, companyName, content, foot } = options;
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex, nofollow">
  <title>${title} · ${companyName ?? "Shipment Tracking"}</title>
  <link rel="stylesheet" href="${assetPath("record.css")}">
  <link rel="stylesheet" href="${assetPath("print.css")}" media="print">
  <link rel="icon" href="${assetPath("icon.svg")}" type="image/svg+xml">
</head>
<body class="public">
  <a class="skip" href="#main">Skip to content</a>
  <header>${
    companyName === null
      ? html`<span class="brand">${brandMark} Shipment Tracking</span>`
      : html`<strong>${companyName}</strong>`
  }</header>
  <main id="main">${content}</main>
  ${foot && html`<footer>${foot}</footer>`}
</body>
</html>
`;
}

/** A public page with one message. */
export function publicMessage(title: string, text: string): Html {
  const content = html`<section class="narrow card"><h1>${title}</h1><p>${text}</p></section>`;
  return publicLayout({ title, companyName: null, content, foot: null });
}
