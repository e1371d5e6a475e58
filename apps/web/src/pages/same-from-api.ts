import { type Html, html } from "../http/html.ts";
import { snippet } from "./snippet.ts";

/** One request to the API, as a page tells of it. */
export interface ApiCall {
  /** GET when absent. */
  readonly method?: "POST" | "PATCH" | "DELETE";
  /** Below /v2, with its query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
  readonly mediaType?: "application/json" | "application/vnd.api+json";
}

/** What a shell leaves as it is between double quotes, also where it looks for a history. */
const plain = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** "?filter[status]=in_transit&…" of what is there; nothing of null, undefined and empty texts. */
export function apiQuery(parameters: Readonly<Record<string, string | null | undefined>>): string {
  const parts = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}=${plain(value)}`] : []));
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** As the text of a shell's single-quoted word. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A command that a shell takes as it is, once SVC_API_TOKEN holds a token. */
export function curlCommand(
  apiBaseUrl: string,
  { method, path, body, mediaType = "application/vnd.api+json" }: ApiCall,
): string {
  // Brackets in the address are no patterns of curl's.
  const parts = [
    `curl -g${method ? ` -X ${method}` : ""} "${apiBaseUrl}${path}"`,
    `-H "Authorization: Token $SVC_API_TOKEN"`,
  ];
  if (body) parts.push(`-H "Content-Type: ${mediaType}"`, `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(" ");
}

/** How a program gets, or does, what the page shows. */
export function sameFromApi(apiBaseUrl: string, calls: readonly ApiCall[]): Html {
  return html`
    <details id="api" class="api"><summary>API request</summary>
      ${snippet({ id: "api-commands", text: calls.map((call) => curlCommand(apiBaseUrl, call)).join("\n"), of: "the commands" })}
    </details>`;
}
