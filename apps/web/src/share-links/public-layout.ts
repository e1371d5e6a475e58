import { type Html, html } from "@svc/views";
import { assetPath } from "../asset-files.ts";
import { brandMark } from "../pages/layout.ts";

/** The layout of pages that need no login: no navigation, no script, no link into the application. */
export function publicLayout(options: {
  readonly title: string;
  readonly content: Html;
  readonly foot: Html | null;
}): Html {
  const { title, content, foot } = options;
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex, nofollow">
  <title>${title} · Shipment Tracking</title>
  <link rel="stylesheet" href="${assetPath("style.css")}">
  <link rel="stylesheet" href="${assetPath("print.css")}" media="print">
  <link rel="icon" href="${assetPath("icon.svg")}" type="image/svg+xml">
</head>
<body class="public">
  <a class="skip" href="#main">Skip to content</a>
  <header><span class="brand">${brandMark} Shipment Tracking</span></header>
  <main id="main">${content}</main>
  ${foot && html`<footer>${foot}</footer>`}
</body>
</html>
`;
}

/** A public page with one message. */
export function publicMessage(title: string, text: string): Html {
  const content = html`<section class="narrow card"><h1>${title}</h1><p>${text}</p></section>`;
  return publicLayout({ title, content, foot: null });
}
