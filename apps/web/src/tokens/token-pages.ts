import type { AccountToken } from "@svc/persistence/tokens";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import type { PublicAddresses } from "../developers/overview-page.ts";
import { choice } from "../forms/choices.ts";
import { field, formProblem, type Problems } from "../forms/field.ts";
import { claudeCommand } from "../mcp/client-setups.ts";
import { questionCard } from "../pages/question-card.ts";
import { curlCommand } from "../pages/same-from-api.ts";
import { secretOnce } from "../pages/secret-once.ts";
import { snippet } from "../pages/snippet.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { lifetimes, type TokenForm } from "./token-form.ts";

const path = "/developers/tokens";

const accessText = ({ scopes, role }: AccountToken): string =>
  `${scopes.includes("write") ? "Read and write" : "Read only"}, ${role}`;

const revokeLink = ({ id, name }: AccountToken): Html =>
  html`<span class="row-actions">
    <a class="danger" href="${path}/${id}/revoke" aria-label="Revoke ${name}">Revoke</a></span>`;

function row(token: AccountToken, isManager: boolean): Html {
  const { name, hint, createdAt, createdBy, lastUsedAt, expiresAt } = token;
  return html`
    <tr>
      <th scope="row" data-label="Name">${name}</th>
      <td data-label="Token"><code>svc_live_…${hint}</code></td>
      <td data-label="Access">${accessText(token)}</td>
      <td data-label="Created">${relativeTimestamp(createdAt)}
        ${createdBy !== null && html`<span class="muted">by ${createdBy}</span>`}</td>
      <td data-label="Last used">${relativeTimestamp(lastUsedAt)}</td>
      <td data-label="Expires">${relativeTimestamp(expiresAt)}</td>
      <td>${isManager && revokeLink(token)}</td>
    </tr>`;
}

export function tokensPage(options: {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly tokens: readonly AccountToken[];
  readonly notice: string | undefined;
}): Html {
  const { caller, apiBaseUrl, tokens, notice } = options;
  const isManager = may(caller, "manage_tokens");
  const list = listTable({
    className: "names",
    caption: "API tokens, the newest first",
    columns: ["Name", "Token", "Access", "Created", "Last used", "Expires", actionsColumn],
    rows: tokens.map((token) => row(token, isManager)),
  });
  return developersLayout({
    title: "API tokens",
    caller,
    part: "tokens",
    notice,
    aside: isManager && html`<a class="button" href="${path}/new">New token</a>`,
    content: html`
      ${
        tokens.length > 0
          ? list
          : html`
            <section class="card empty">
              <h2>No API tokens yet</h2>
              <p>Tokens authenticate API and MCP requests: <code>Authorization: Token svc_live_…</code></p>
              ${isManager && html`<p><a class="button" href="${path}/new">Create API token</a></p>`}
              <p>Then, with the token in the variable <code>SVC_API_TOKEN</code>:</p>
              ${snippet({ id: "first-call", text: curlCommand(apiBaseUrl, { path: "/shipments" }), of: "the command" })}
            </section>`
      }`,
  });
}

export function newTokenPage(caller: Caller, form: TokenForm, problems: Problems = {}): Html {
  const scopes = [
    ["read", "Read only"],
    ["write", "Read and write"],
  ] as const;
  const lifetimeChoices = lifetimes.map(([value, label]) => [value, label] as const);
  return developersLayout({
    title: "New API token",
    caller,
    part: "tokens",
    isOfRecord: true,
    content: html`
      <form class="card form" method="post" action="${path}">
        ${formProblem(problems)}
        <input type="hidden" name="id" value="${form.id}">
        ${field({
          label: "Name",
          name: "name",
          value: form.name,
          problems,
          hint: "What it is for, for example the program that will use it.",
          maxLength: 100,
          isRequired: true,
        })}
        <fieldset>
          <legend>Access</legend>
          ${scopes.map(([value, label]) => {
            const checked = form.scope === value && html` checked`;
            return html`<label class="choice"><input type="radio" name="scope" value="${value}"${checked}> ${label}</label>`;
          })}
        </fieldset>
        ${choice({ name: "lifetime", label: "Expires", chosen: form.lifetime, problems }, lifetimeChoices)}
        <p class="actions"><button>Create token</button> <a href="${path}">Cancel</a></p>
      </form>`,
  });
}

/** The response to the form itself: a page with its own address would require storing the token. */
export function createdTokenPage(
  caller: Caller,
  created: { readonly name: string; readonly token: string },
  { apiBaseUrl, mcpUrl }: PublicAddresses,
): Html {
  const curl = `curl ${apiBaseUrl}/shipments -H "Authorization: Token ${created.token}"`;
  return developersLayout({
    title: "API token created",
    caller,
    part: "tokens",
    isOfRecord: true,
    heading: created.name,
    content: html`
      ${secretOnce({
        label: "The new API token",
        value: created.token,
        note: "After 24 hours only its hash is stored here.",
      })}
      <section class="card">
        <h2>Try it</h2>
        ${snippet({ id: "token-curl", text: curl, of: "the command" })}
        <p>For an AI client, here Claude Code; <a href="/developers/mcp">the others</a>:</p>
        ${snippet({ id: "token-mcp", text: claudeCommand(mcpUrl, created.token), of: "for Claude Code" })}
      </section>
      <p><a class="button" href="${path}">I have copied it</a></p>`,
  });
}

export function revokeTokenPage(caller: Caller, { id, name, hint, lastUsedAt }: AccountToken): Html {
  return developersLayout({
    title: `Revoke ${name}`,
    caller,
    part: "tokens",
    isOfRecord: true,
    heading: null,
    content: questionCard({
      heading: `Revoke “${name}”?`,
      content: html`
        <p>Programs that use the token ending in <code>${hint}</code> are refused at once. This cannot be undone.</p>
        <p>Last used: ${relativeTimestamp(lastUsedAt)}</p>`,
      action: `${path}/${id}/revoke`,
      button: "Revoke token",
      cancelPath: path,
    }),
  });
}
