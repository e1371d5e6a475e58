import { type Html, html } from "../http/html.ts";

export function headerTable(headers: Readonly<Record<string, string>> | null): Html | null {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return null;
  return html`
    <dl class="headers">
      ${entries.map(([name, value]) => html`<div><dt><code>${name}</code></dt><dd><code>${value}</code></dd></div>`)}
    </dl>`;
}

/** JSON is shown in lines, everything else as it came. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** `none` stands for a body that there is not. */
export function bodyText(body: string | null, none: string): Html {
  if (body === null) return html`<p class="muted">${none}</p>`;
  if (body === "") return html`<p class="muted">The body is empty.</p>`;
  return html`<pre tabindex="0">${prettyJson(body)}</pre>`;
}
