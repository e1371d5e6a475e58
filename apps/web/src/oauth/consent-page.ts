import type { TokenScope } from "@svc/persistence/tokens";
import { isLoopbackHost } from "@svc/service-kit";
import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { layout } from "../pages/layout.ts";
import { interactionPath } from "./oauth-provider.ts";

/** `https://claude.ai/…` as claude.ai, `cursor://…` as cursor, a loopback address as this computer. */
function uriHost(uri: string): string {
  const { protocol, hostname } = new URL(uri);
  if (isLoopbackHost(hostname)) return "a program on this computer";
  return protocol === "https:" || protocol === "http:" ? hostname : `the application for ${protocol}//`;
}

/**
 * Page that asks the user to give an application access. `clientName` is chosen by the application and not verified.
 */
export function consentPage(request: {
  readonly caller: Caller;
  readonly uid: string;
  readonly clientId: string;
  readonly clientName: string | undefined;
  readonly scopes: readonly TokenScope[];
  readonly redirectUri: string;
}): Html {
  const { caller, uid, clientId, clientName = "An application", scopes, redirectUri } = request;
  const canWrite = scopes.includes("write");
  const choices = html`
    <fieldset>
      <legend>Permissions</legend>
      <label class="choice"><input type="radio" name="access" value="read"> Read only</label>
      <label class="choice"><input type="radio" name="access" value="write" checked> Read and write: also track numbers
        and change references, tags and notes</label>
    </fieldset>`;
  return layout({
    title: "Connect an application",
    caller,
    section: null,
    hasSearch: false,
    content: html`
      <section class="narrow card">
        <h1>Connect ${clientName}?</h1>
        <p>It asks for access to the shipments and containers of <strong>${caller.user?.companyName}</strong>,
          as <strong>${caller.user?.email}</strong>.</p>
        <p>You will be sent to <strong>${uriHost(redirectUri)}</strong>. ${
          clientId.startsWith("https://")
            ? html`The application is published by <strong>${new URL(clientId).hostname}</strong>.`
            : html`The application chose its name itself: continue only if you have just connected it.`
        }</p>
        <form method="post" action="${interactionPath}/${uid}">
          ${canWrite ? choices : html`<p>Permissions: read only.</p>`}
          <p class="actions">
            <button name="decision" value="allow">Allow</button>
            <button name="decision" value="deny" class="quiet">Cancel</button>
          </p>
        </form>
        <p class="muted">You can disconnect it at any time under Developers, MCP.</p>
      </section>`,
  });
}
