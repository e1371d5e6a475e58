import type { Caller } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import { type Html, html } from "../http/html.ts";
import { snippet } from "../pages/snippet.ts";
import { clientSetups } from "./client-setups.ts";

export function mcpPage(caller: Caller, mcpUrl: string): Html {
  return developersLayout({
    title: "MCP server",
    caller,
    part: "mcp",
    content: html`
      <h1>MCP server</h1>
      <p>AI clients read shipments and containers through it, with the rights of their token. The address is
        <code>${mcpUrl}</code>, the transport Streamable HTTP.</p>
      <section class="card">
        <h2>1. Create API token</h2>
        <p>“Read only” is enough for everything but to start tracking. Keep it in the variable
          <code>SVC_API_TOKEN</code> of the client's environment, where the texts below read it.</p>
        <p><a class="button" href="/developers/tokens/new">New token</a></p>
      </section>
      <section class="card">
        <h2>2. Configure your client</h2>
        ${clientSetups(mcpUrl).map(
          ({ client, file, text }, index) => html`
            <h3>${client}${file !== null && html` <code>${file}</code>`}</h3>
            ${snippet({ id: `setup-${index}`, text, of: `for ${client}` })}`,
        )}
      </section>
      <section class="card">
        <h2>Ask</h2>
        <p>For example: “Where is container MSCU6639870, and when does it arrive?”</p>
      </section>`,
  });
}
