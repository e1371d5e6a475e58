import { Router } from "express";
import { staticDocument } from "../openapi/static-document.ts";
import { type ReferenceAssets, readReferenceAssets, serveReferenceAssets } from "../reference-assets.ts";
import { plainPagePolicy, renderPlainPage } from "./plain-page.ts";
import { referencePagePolicy, renderReferencePage } from "./reference-page.ts";

const pageHeaders = (policy: string) => ({
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
});

/** The API reference at /docs, what it loads, and /docs/plain, a page of the same description without scripts. */
export function serveReference(describe: () => Readonly<Record<string, unknown>>, appUrl: string): Router {
  let assets: ReferenceAssets | undefined;
  const readOnce = () => {
    assets ??= readReferenceAssets();
    return assets;
  };
  const page = staticDocument(() => renderReferencePage(readOnce(), appUrl), pageHeaders(referencePagePolicy));
  const plainPage = staticDocument(() => renderPlainPage(describe()), pageHeaders(plainPagePolicy));
  return Router({ strict: true })
    .get("/docs", page)
    .get("/docs/", (_request, response) => response.redirect(308, "../docs"))
    .get("/docs/plain", plainPage)
    .use("/docs/assets", serveReferenceAssets(readOnce));
}
