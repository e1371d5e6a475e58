import type { Caller } from "../access/callers.ts";
import type { Html } from "../http/html.ts";
import { partsLayout } from "../pages/parts-layout.ts";

const parts = [
  ["overview", "Overview", "/developers"],
  ["tokens", "API tokens", "/developers/tokens"],
  ["webhooks", "Webhooks", "/developers/webhooks"],
  ["notifications", "Notifications", "/developers/notifications"],
  ["events", "Events", "/developers/events"],
  ["mcp", "MCP", "/developers/mcp"],
] as const;

/** The frame of the pages for developers. */
export function developersLayout(options: {
  readonly title: string;
  readonly caller: Caller;
  readonly part: (typeof parts)[number][0];
  readonly content: Html;
  readonly notice?: string | undefined;
}): Html {
  return partsLayout({ ...options, section: "developers", label: "Developers", parts });
}
