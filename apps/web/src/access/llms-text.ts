import { eventCategories } from "@svc/domain/webhooks";
import { referenceAddress } from "../developers/developers-layout.ts";
import type { Addresses } from "./agent-note.ts";
import { sameData } from "./same-data.ts";

/**
 * `/llms.txt`: an overview of this installation for language models, as Markdown (llmstxt.org). It is public and
 * contains no data of any account.
 */
export function llmsText({ appUrl, apiBaseUrl, mcpUrl }: Addresses): string {
  const events = eventCategories.map(({ name, events: { length } }) => `${name} (${length})`);
  const rows = sameData.map(
    ({ page, shows, apiPath, tool = null }) =>
      `| \`${page}\` | ${shows} | \`GET ${apiPath}\` | ${tool === null ? "none" : `\`${tool}\``} |`,
  );
  return `# Shipment Tracking

> Tracks ocean containers and shipments by container, bill of lading or booking number: position, estimated arrival, ETA
> changes and pickup availability. Webhooks notify programs of changes.

Every request needs an API token of an account. A member of the account creates one at ${appUrl}/developers/tokens. The
scope "read" is enough for everything except starting to track. The pages of ${appUrl} are for signed-in users.

## API

- [Reference](${referenceAddress(apiBaseUrl)}): every operation, for readers
- [OpenAPI](${apiBaseUrl}/openapi.json): every operation, for programs
- Base address: \`${apiBaseUrl}\`, JSON:API, with the header \`Authorization: Token <API_KEY>\`

## MCP

- Server: \`${mcpUrl}\`, Streamable HTTP, with the header \`Authorization: Bearer <API_KEY>\`

## The same data

| Page | Shows | HTTP API | MCP tool |
|---|---|---|---|
${rows.join("\n")}

## Links

- \`${appUrl}/shipments/find?q=<number or reference>\` opens the shipment or container for a signed-in user. A program
  that sends a token and \`Accept: application/json\` receives its ids.

## Webhooks

- Kinds of events: ${events.join(", ")}; each with a sample at ${appUrl}/developers/events
`;
}
