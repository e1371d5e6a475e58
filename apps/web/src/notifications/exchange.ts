import { type Html, html } from "@svc/views";

export function headerTable(headers: Readonly<Record<string, string>> | null): Html | null {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return null;
  return html`
    <dl class="headers">
      ${entries.map(([name, value]) => html`<div><dt><code>${name}</code></dt><dd><code>${value}</code></dd></div>`)}
    </dl>`;
}

/** Deeper JSON is not formatted. */
const deepest = 20;

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= deepest && level.length > 0; depth++) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return level.length > 0;
}

/**
 * Formats JSON; returns other text unchanged. Deeply nested JSON is returned unchanged too, because indentation would
 * turn a few kilobytes from an untrusted receiver into megabytes.
 */
export function prettyJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isDeep(value) ? text : JSON.stringify(value, null, 2);
  } catch {
    return text;
  }
}

/** `none`: the text for an absent body. */
export function bodyText(body: string | null, none: string): Html {
  if (body === null) return html`<p class="muted">${none}</p>`;
  if (body === "") return html`<p class="muted">The body is empty.</p>`;
  return html`<pre tabindex="0">${prettyJson(body)}</pre>`;
}
