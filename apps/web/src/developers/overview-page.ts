import type { Caller } from "../access/callers.ts";
import { type Html, html } from "../http/html.ts";
import { developersLayout } from "./developers-layout.ts";

export interface PublicAddresses {
  /** With /v2. */
  readonly apiBaseUrl: string;
  readonly mcpUrl: string;
}

export function overviewPage(caller: Caller, { apiBaseUrl, mcpUrl }: PublicAddresses): Html {
  return developersLayout({
    title: "Developers",
    caller,
    part: "overview",
    content: html`
      <h1>Developers</h1>
      <ul class="cards">
        <li class="card"><h2><a href="/developers/tokens">API tokens</a></h2>
          <p>Programs show one to the API and to the MCP server.</p></li>
        <li class="card"><h2><a href="/developers/webhooks">Webhooks</a></h2>
          <p>Your systems are told what happens to shipments, as it happens.</p></li>
        <li class="card"><h2><a href="/developers/notifications">Notifications</a></h2>
          <p>What was sent to webhooks, what they answered, and to send it again.</p></li>
        <li class="card"><h2><a href="/developers/events">Events</a></h2>
          <p>Every kind of event, with a sample.</p></li>
        <li class="card"><h2><a href="/developers/mcp">MCP server</a></h2>
          <p>Shipments for AI clients, with what to paste into each.</p></li>
        <li class="card"><h2><a href="${apiBaseUrl}/docs">API reference</a></h2>
          <p>Every operation of the HTTP API.</p></li>
      </ul>
      <section class="card">
        <h2>Addresses</h2>
        <dl>
          <div><dt>API</dt><dd><code>${apiBaseUrl}</code></dd></div>
          <div><dt>MCP server</dt><dd><code>${mcpUrl}</code></dd></div>
          <div><dt>Description of the API</dt><dd><a href="${apiBaseUrl}/docs">Reference</a>, <a href="${apiBaseUrl}/openapi.json">OpenAPI</a></dd></div>
        </dl>
      </section>`,
  });
}
