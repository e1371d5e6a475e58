import { countText } from "@svc/domain";
import { type Inbox, type InboxRequest, inboxRequestsMax } from "@svc/persistence/inbox";
import { type Html, html } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { developersLayout, developersLivePage } from "../developers/developers-layout.ts";
import { option } from "../forms/choices.ts";
import { bodyText, headerTable } from "../notifications/exchange.ts";
import { type LivePage, part } from "../pages/live-page.ts";
import { exactTimestamp, relativeTimestamp } from "../pages/timestamps.ts";
import type { Verdict } from "./check-signatures.ts";

export const inboxPath = "/developers/inbox";

/** Response status of a request that is held open until its sender times out. */
export const noResponse = 0;

/** Responses that a user can choose for an inbox. */
export const responseChoices: readonly (readonly [status: number, label: string])[] = [
  [200, "200 OK"],
  [404, "404 (retried)"],
  [410, "410 (disables the webhook)"],
  [429, "429 (retried after 30 s)"],
  [500, "500 (retried)"],
  [503, "503 (retried)"],
  [noResponse, "Time out"],
];

export interface InboxPageOptions {
  readonly caller: Caller;
  readonly appUrl: string;
  /** Null when no inbox is open. */
  readonly inbox: Inbox | null;
  readonly requests: readonly InboxRequest[];
  readonly notice?: string | undefined;
}

const readOnly = html`<p class="muted">Opening, emptying and closing it requires the role developer.</p>`;

const closed = (isManager: boolean): Html => html`
  <section class="card">
    <p>An inbox is an endpoint for testing webhooks before you have your own.
      It keeps the requests that it receives.</p>
    ${isManager ? html`<form method="post" action="${inboxPath}"><button>Open an inbox</button></form>` : readOnly}
  </section>`;

function address(inbox: Inbox, appUrl: string, isManager: boolean): Html {
  const url = `${appUrl}/inbox/${inbox.key}`;
  return html`
    <section class="card">
      <h2>Address</h2>
      <div class="copy">
        <input id="inbox-address" class="number" readonly value="${url}" aria-label="Address of the inbox"
          autocomplete="off" spellcheck="false">
        <button class="quiet" type="button" data-copies="inbox-address">Copy</button>
      </div>
      <p class="muted">Anyone who knows the address can post to it; requests are shown here only.
        It expires ${exactTimestamp(inbox.expiresAt)} with its requests.</p>
      ${
        isManager
          ? html`<div class="actions">
              <a class="button"
                href="/developers/webhooks/new?url=${encodeURIComponent(url)}">Create a webhook for this inbox</a>
              <form method="post" action="${inboxPath}/close"><button class="quiet">Close the inbox</button></form>
            </div>`
          : readOnly
      }
    </section>`;
}

function responseForm(inbox: Inbox): Html {
  const choices = responseChoices.map(([status, label]) => option(String(status), label, String(inbox.answer)));
  return html`
    <form class="card" method="post" action="${inboxPath}/answer">
      <label for="answer">Respond with</label>
      <div class="search"><select id="answer" name="answer">${choices}</select>
        <button class="quiet">Save</button></div>
      <p class="muted">To test how deliveries behave when an endpoint fails.</p>
    </form>`;
}

/** The event, when the body is a notification of this service. */
function eventOf(body: string): string | null {
  try {
    const event: unknown = JSON.parse(body)?.data?.attributes?.event;
    return typeof event === "string" ? event : null;
  } catch {
    return null;
  }
}

function signatureForm(): Html {
  return html`
    <form class="card" method="post" action="${inboxPath}/check">
      <label for="secret">Check signatures with the secret of the webhook</label>
      <div class="search"><input id="secret" name="secret" type="password" required autocomplete="off"
        placeholder="whsec_…"><button class="quiet">Check</button></div>
      <p class="muted">Checked as a receiver would at the time of each request. The secret is not stored.</p>
    </form>`;
}

function received(request: InboxRequest, verdict: Verdict | undefined): Html {
  const { id, receivedAt, headers, body, bodyBytes, answer } = request;
  return html`
    <details class="card received" id="received-${id}">
      <summary>${relativeTimestamp(receivedAt)} <strong>${eventOf(body) ?? "Not sent by this service"}</strong>
        <span class="muted">${answer === noResponse ? "not answered" : `answered ${answer}`}, ${bodyBytes} bytes</span>
        ${verdict !== undefined && html`<span class="tag">${verdict}</span>`}</summary>
      <p>${exactTimestamp(receivedAt)}</p>
      ${headerTable(headers)}
      ${Buffer.byteLength(body) < bodyBytes && html`<p class="muted">Only the beginning of the body is stored.</p>`}
      ${bodyText(body, "")}
    </details>`;
}

function list(requests: readonly InboxRequest[], verdicts: ReadonlyMap<string, Verdict>, isManager: boolean): Html {
  if (requests.length === 0) return html`<p class="muted">No requests yet. New requests appear here.</p>`;
  const text = countText(requests.length, "request");
  return html`
    <p class="muted" data-say="received">${text}${requests.length === inboxRequestsMax && ", the newest"}.</p>
    ${requests.map((request) => received(request, verdicts.get(request.id)))}
    ${
      isManager &&
      html`<form method="post" action="${inboxPath}/empty"><button class="quiet">Empty the inbox</button></form>`
    }`;
}

const none: ReadonlyMap<string, Verdict> = new Map();

export function inboxPage({ caller, appUrl, inbox, requests, notice }: InboxPageOptions): LivePage {
  const isManager = may(caller, "manage_webhooks");
  return developersLivePage({
    title: "Inbox",
    caller,
    part: "inbox",
    notice,
    content: html`
      ${
        inbox
          ? html`<div class="pair">${address(inbox, appUrl, isManager)}
            ${isManager && html`<div class="stack">${responseForm(inbox)}${signatureForm()}</div>`}</div>`
          : closed(isManager)
      }
      ${inbox && html`<section><h2>Requests</h2>${part("received", list(requests, none, isManager))}</section>`}`,
  });
}

/** Response to the form with the secret. It has no URL of its own and is not a live page. */
export function checkedInboxPage(
  caller: Caller,
  requests: readonly InboxRequest[],
  verdicts: ReadonlyMap<string, Verdict>,
): Html {
  return developersLayout({
    title: "Signatures in the inbox",
    caller,
    part: "inbox",
    isOfRecord: true,
    heading: "Signatures",
    content: html`
      ${list(requests, verdicts, may(caller, "manage_webhooks"))}`,
  });
}
