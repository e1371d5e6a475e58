import { partsLayout } from "../pages/parts-layout.ts";

/** The frame of the pages for developers. */
export const developersLayout = partsLayout("developers", "Developers", [
  ["overview", "Overview", "/developers"],
  ["tokens", "API tokens", "/developers/tokens"],
  ["webhooks", "Webhooks", "/developers/webhooks"],
  ["notifications", "Notifications", "/developers/notifications"],
  ["events", "Events", "/developers/events"],
  ["mcp", "MCP", "/developers/mcp"],
]);
