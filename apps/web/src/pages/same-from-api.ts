import { toWireName } from "@svc/jsonapi";
import { type Html, html } from "@svc/views";
import { snippet } from "./snippet.ts";

/** One API request that a page shows. */
export interface ApiCall {
  /** GET when absent. */
  readonly method?: "POST" | "PATCH" | "DELETE";
  /** Path below /v2, with its query. */
  readonly path: string;
  /** Body, sent as JSON. */
  readonly body?: object;
  /** Name of the file that is sent instead, as it is. */
  readonly file?: string;
  readonly mediaType?: "application/json" | "application/vnd.api+json" | "text/plain";
}

/** Encodes a value so that a double-quoted shell word needs no escape, also with history expansion. */
const plain = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** "?filter[status]=in_transit&…" of the given parameters; leaves out null, undefined and empty texts. */
export function apiQuery(parameters: Readonly<Record<string, string | null | undefined>>): string {
  const parts = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}=${plain(value)}`] : []));
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** Filters in which a comma separates texts. */
const freeTexts: ReadonlySet<string> = new Set(["tag", "customer", "customerName", "vessel"]);

/** The address of a list with filters, by their names in the SDK. */
export function listCall(
  path: string,
  filters: Readonly<Record<string, unknown>>,
  pages: Readonly<Record<string, string | null>>,
): string {
  const parameters = Object.entries(filters).map(([name, value]) => {
    const text = String(value);
    return [`filter[${toWireName(name)}]`, freeTexts.has(name) ? text.replaceAll(",", "\\,") : text] as const;
  });
  return `${path}${apiQuery({ ...Object.fromEntries(parameters), ...pages })}`;
}

/** Quotes a text as a single-quoted shell word. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A shell command that works when SVC_API_TOKEN holds a token. */
export function curlCommand(
  apiBaseUrl: string,
  { method, path, body, file, mediaType = "application/vnd.api+json" }: ApiCall,
): string {
  // `-g`: curl does not expand the brackets in the address.
  const parts = [
    `curl -g${method ? ` -X ${method}` : ""} "${apiBaseUrl}${path}"`,
    `-H "Authorization: Token $SVC_API_TOKEN"`,
  ];
  if (body) parts.push(`-H "Content-Type: ${mediaType}"`, `-d ${quoted(JSON.stringify(body))}`);
  if (file) parts.push(`-H "Content-Type: ${mediaType}"`, `--data-binary @${file}`);
  return parts.join(" ");
}

/** The API requests that correspond to the page. */
export function sameFromApi(apiBaseUrl: string, calls: readonly ApiCall[]): Html {
  const text = calls.map((call) => curlCommand(apiBaseUrl, call)).join("\n");
  return html`
    <details id="api" class="api"><summary>API request</summary>
      ${snippet({ id: "api-commands", text, of: "the commands" })}
    </details>`;
}
