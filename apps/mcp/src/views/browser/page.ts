import { type Html, html } from "@svc/views";
import type { Host, ToolResult } from "./host.ts";

/** Markup comes from the template only: the document's policy names this one. */
const policy = (
  window as { trustedTypes?: { createPolicy(name: string, rules: object): { createHTML(text: string): string } } }
).trustedTypes?.createPolicy("svc-view", { createHTML: (text: string) => text });

const main = document.querySelector("main") as HTMLElement;
const status = document.querySelector("[role=status]") as HTMLElement;

/** Replaces what is shown. Open details stay open, and the focus stays where it was. */
export function show(content: Html): void {
  const focused = document.activeElement?.id;
  const open = [...main.querySelectorAll("details[open][id]")].map(({ id }) => id);
  const text = String(content);
  main.innerHTML = policy?.createHTML(text) ?? text;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus();
}

/** Shows a status text, which screen readers announce. */
export function showMessage(text: string): void {
  status.textContent = text;
}

/** The text of a result, for what cannot be shown otherwise, without the notice to models. */
export const resultText = ({ content }: ToolResult): string => content?.[0]?.text?.split("\n")[0] ?? "No response.";

export const errorNotice = (text: string): Html => html`<p class="notice" role="alert">${text}</p>`;

/** "Refresh" and the link to the page of the web application, where each can be used. */
export function toolbar(pageUrl: string | undefined, canRefresh: boolean): Html {
  return html`<p class="tools">
    ${canRefresh && html`<button id="refresh" type="button" class="quiet">Refresh</button>`}
    ${pageUrl && html`<a id="page" href="${pageUrl}">Open page</a>`}</p>`;
}

/** Address of another page of the web application; null when the address of none is known. */
export const pageBeside = (pageUrl: string | undefined, path: string): string | null =>
  pageUrl === undefined ? null : new URL(path, pageUrl).href;

/** Links open outside of the view, through the host; buttons do what their name says. */
export function handleClicks(
  host: () => Host | undefined,
  actions: Readonly<Record<string, (button: HTMLElement) => void>>,
) {
  document.addEventListener("click", (event) => {
    const clicked = (event.target as Element).closest<HTMLElement>("a[href], button");
    if (!clicked) return;
    if (clicked instanceof HTMLAnchorElement) {
      event.preventDefault();
      void host()
        ?.openLink(clicked.href)
        .then((opened) => showMessage(opened ? "" : `The application did not open ${clicked.href}`));
      return;
    }
    actions[clicked.dataset.action ?? clicked.id]?.(clicked);
  });
}
