import { escapeHtml } from "@svc/service-kit";
import type { ReferenceAssets } from "../reference-assets.ts";

/**
 * Content security policy of the reference: its own origin only. The renderer sets styles in elements, which needs
 * 'unsafe-inline' for styles; scripts stay limited to our files (ADR 0033).
 */
export const referencePagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** The brand mark of the web application. */
const mark =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/>' +
  '<path d="M6 19h20l-3 6H9zM9 12h6v5H9zm8 0h6v5h-6zm-4-6h6v4h-6z"/></svg>';

/** The frame of the API reference; addresses are relative, so that it works below a path prefix too. */
export function renderReferencePage({ renderer, configuration, style }: ReferenceAssets, appUrl: string): string {
  const app = escapeHtml(appUrl.replace(/\/$/, ""));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API reference · Shipment Tracking Service</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="docs/assets/${style.name}">
<script defer src="docs/assets/${configuration.name}"></script>
<script defer src="docs/assets/${renderer.name}"></script></head>
<body><nav class="reference-header" aria-label="Other pages">
<a class="product" href="${app}">${mark} Shipment Tracking</a>
<span><a href="${app}/developers/tokens">API tokens</a> <a href="v2/openapi.json">OpenAPI</a>
<a href="docs/plain">Plain page</a></span></nav>
<div id="reference" data-tokens-page="${app}/developers/tokens">
<p class="notice" role="status">Loading the API reference …</p></div>
<noscript><p class="notice">The interactive reference needs JavaScript. The <a href="docs/plain">plain page</a> lists
the same operations without it.</p></noscript></body></html>`;
}
