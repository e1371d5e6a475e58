import type { ConnectedApplication } from "@svc/persistence/oauth";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import { snippet } from "../pages/snippet.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { clientSetups } from "./client-setups.ts";
import { installLinks } from "./install-links.ts";

/** A registered application has a name; one identified by a metadata document is shown by its host. */
function nameOf({ clientId, clientName }: ConnectedApplication): string {
  return clientName ?? (URL.canParse(clientId) ? new URL(clientId).hostname : "Unnamed application");
}

function connectedRow(application: ConnectedApplication, isManager: boolean): Html {
  const { grantId, scopes, connectedBy, connectedAt, lastUsedAt } = application;
  const name = nameOf(application);
  return html`
    <tr>
      <th scope="row" data-label="Application">${name}</th>
      <td data-label="Access">${scopes.includes("write") ? "Read and write" : "Read only"}</td>
      <td data-label="Connected">${relativeTimestamp(connectedAt)}
        ${connectedBy !== null && html`<span class="muted">by ${connectedBy}</span>`}</td>
      <td data-label="Last used">${relativeTimestamp(lastUsedAt)}</td>
      <td>${
        isManager &&
        html`<form method="post" action="/developers/mcp/applications/${grantId}/disconnect">
          <button class="quiet" aria-label="Disconnect ${name}">Disconnect</button>
        </form>`
      }</td>
    </tr>`;
}

const connectedTable = (connected: readonly ConnectedApplication[], isManager: boolean): Html => html`
  <h2>Connected applications</h2>
  ${listTable({
    className: "names",
    caption: "Connected applications, the newest first",
    columns: ["Application", "Access", "Connected", "Last used", actionsColumn],
    rows: connected.map((application) => connectedRow(application, isManager)),
  })}`;

/** Three questions that the account's own data answers. */
const questions = (container: string | null): readonly string[] => [
  ...(container === null ? [] : [`Where is container ${container}, and when does it arrive?`]),
  "Which containers arrive this week?",
  "Which containers have a last free day in the next 3 days?",
  ...(container === null ? ["Which shipments are delayed, and by how many days?"] : []),
];

export function mcpPage(options: {
  readonly caller: Caller;
  readonly mcpUrl: string;
  readonly connected: readonly ConnectedApplication[];
  /** Number of the newest container of the account; null: it has none. */
  readonly container: string | null;
  readonly notice: string | undefined;
}): Html {
  const { caller, mcpUrl, connected, container, notice } = options;
  return developersLayout({
    title: "MCP server",
    caller,
    part: "mcp",
    notice,
    content: html`
      <p>AI clients read shipments and containers through it, with the rights of their token. The address is
        <code>${mcpUrl}</code>, the transport Streamable HTTP.</p>
      ${connected.length > 0 && connectedTable(connected, may(caller, "connect_applications"))}
      <section class="card">
        <h2>Connect by signing in</h2>
        <p>Claude, ChatGPT, Cursor, VS Code and other clients that support OAuth need only the address. They open this
          application in the browser, where you sign in and choose what they may do.</p>
        ${snippet({ id: "mcp-address", text: mcpUrl, of: "the address" })}
        <p class="row-actions">
          ${installLinks(mcpUrl).map(({ client, href }) => html`<a class="button" href="${href}">Add to ${client}</a>`)}
        </p>
        <p>In claude.ai and Claude Desktop: Settings, Connectors, Add custom connector; enter a name and the address,
          choose Add, then Connect. The address must be reachable from the internet.</p>
      </section>
      <section class="card">
        <h2>Or with an API token</h2>
        <p>A token with the access “Read only” suffices, unless the client is to track numbers. Store it in the
          environment variable <code>SVC_API_TOKEN</code> of the client, from which these configurations read it.</p>
        ${
          may(caller, "manage_tokens")
            ? html`<p><a class="button" href="/developers/tokens/new">New token</a></p>`
            : html`<p class="muted">Members from the role developer on create tokens.</p>`
        }
        ${clientSetups(mcpUrl).map(
          ({ client, file, text }, index) => html`
            <details name="setup"${index === 0 && html` open`}>
              <summary><strong>${client}</strong>${file !== null && html` <code>${file}</code>`}</summary>
              ${snippet({ id: `setup-${index}`, text, of: `the configuration of ${client}` })}
            </details>`,
        )}
      </section>
      <section class="card">
        <h2>Ask a question</h2>
        ${questions(container).map((text, index) => snippet({ id: `question-${index}`, text, of: "the question" }))}
      </section>`,
  });
}
