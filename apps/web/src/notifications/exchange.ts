import { type Html, html } from "../http/html.ts";

export function headerTable(headers: Readonly<Record<string, string>> | null): Html | null {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return null;
  return html`
    <dl class="headers">
      ${entries.map(([name, value]) => html`<div><dt><code>${name}</code></dt><dd><code>${value}</code></dd></div>`)}
    </dl>`;
}

/** Nothing that is meant to be read is nested deeper. */
const deepest = 20;

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= deepest && level.length > 0; depth++) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return level.length > 0;
}

/**
 * JSON is shown in lines, everything else as it came: also what is nested so deeply that a few kilobytes of it, sent by whoever
 * knows an address, would be indented by as many megabytes.
 */
export function prettyJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isDeep(value) ? text : JSON.stringify(value, null, 2);
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
