import { type Html, html } from "@svc/views";
import { layout } from "../pages/layout.ts";
import { type LivePage, livePage } from "../pages/live-page.ts";
import { partsFrame } from "../pages/parts-layout.ts";

const frame = partsFrame("developers", "Developers", {
  "": [
    ["overview", "Overview", "/developers"],
    ["tokens", "API tokens", "/developers/tokens"],
    ["webhooks", "Webhooks", "/developers/webhooks"],
    ["notifications", "Notifications", "/developers/notifications"],
    ["events", "Events", "/developers/events"],
    ["inbox", "Inbox", "/developers/inbox"],
    ["mcp", "MCP", "/developers/mcp"],
    ["reference", html`API reference <span aria-hidden="true">↗</span>`, "/developers/api-reference"],
  ],
});

type DevelopersPage = Parameters<typeof frame>[0];

/** Layout of the pages for developers. */
export const developersLayout = (page: DevelopersPage): Html => layout(frame(page));

/** Layout of a live page for developers. */
export const developersLivePage = (page: DevelopersPage): LivePage => livePage(frame(page));

/** URL of the API reference page, which is beside /v2 and not below it. */
export const referenceAddress = (apiBaseUrl: string): string => `${apiBaseUrl.replace(/\/v2$/, "")}/docs`;
