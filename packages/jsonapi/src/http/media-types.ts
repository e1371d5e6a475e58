/** Content negotiation of JSON:API 1.1, with `application/json` allowed beside it (docs/contract/decisions.md 2). */

export const jsonApiMediaType = "application/vnd.api+json";
export const jsonMediaType = "application/json";
export const geoJsonMediaType = "application/geo+json";
export const csvMediaType = "text/csv";
export const bytesMediaType = "application/octet-stream";
/** https://jsonlines.org: a JSON text per line. */
export const jsonLinesMediaType = "application/jsonl";
export const cursorProfile = "https://jsonapi.org/profiles/ethanresnick/cursor-pagination";

interface MediaType {
  readonly essence: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Splits at the separator, but not inside quotes. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts = [""];
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (character === separator && !quoted) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

function parseMediaType(text: string): MediaType {
  const [essence = "", ...rest] = splitOutsideQuotes(text, ";");
  const parameters = rest.flatMap((parameter): [string, string][] => {
    const equals = parameter.indexOf("=");
    if (equals < 1) return [];
    const value = parameter.slice(equals + 1).trim();
    return [[parameter.slice(0, equals).trim().toLowerCase(), value.replace(/^"(.*)"$/, "$1")]];
  });
  return { essence: essence.toLowerCase(), parameters: Object.fromEntries(parameters) };
}

/** The JSON:API media type with no parameters except `profile`, whose unknown values are ignored. No extensions. */
const isPlainJsonApi = (parameters: Readonly<Record<string, string>>): boolean =>
  Object.entries(parameters).every(
    ([name, value]) => name === "profile" || name === "q" || (name === "ext" && value === ""),
  );

/**
 * Whether the Content-Type of a request body is supported. `charset=utf-8` is accepted on the JSON:API type, too,
 * because common HTTP clients add it; other parameters are rejected as JSON:API 1.1 requires.
 */
export function isSupportedContentType(header: string | undefined): boolean {
  if (header === undefined) return false;
  const { essence, parameters } = parseMediaType(header);
  const { charset = "utf-8", ...others } = parameters;
  if (!/^utf-?8$/i.test(charset)) return false;
  if (essence === jsonMediaType) return true;
  return essence === jsonApiMediaType && isPlainJsonApi(others) && others.q === undefined;
}

const singleByteOrUtf8 = /^(?:utf-?8|us-ascii|iso-8859-1)$/i;

/** Whether the Content-Type is one of these. A charset must be UTF-8, ISO 8859-1 or US-ASCII. */
export function matchesContentType(header: string | undefined, mediaTypes: readonly string[]): boolean {
  if (header === undefined) return false;
  const { essence, parameters } = parseMediaType(header);
  return mediaTypes.includes(essence) && singleByteOrUtf8.test(parameters.charset ?? "utf-8");
}

/** Media types of a JSON:API document, in order of preference. */
export const documentMediaTypes: readonly string[] = [jsonApiMediaType, jsonMediaType];

/** The quality of a media type by the most specific matching range; 0: not accepted. */
function qualityValue(essence: string, ranges: readonly MediaType[]): number {
  const group = essence.slice(0, essence.indexOf("/") + 1);
  const named = [essence, `${group}*`, "*/*"]
    .map((name) => ranges.filter((range) => range.essence === name))
    .find((matching) => matching.length > 0);
  const weights = (named ?? []).map(({ parameters }) => Number(parameters.q ?? "1"));
  return Math.max(0, ...weights.filter((weight) => !Number.isNaN(weight)));
}

/**
 * The first offered media type that Accept allows, or null. Ranges with JSON:API extensions or other parameters are
 * ignored. If all JSON:API ranges have them, the result is null even if another range matches: JSON:API 1.1, Server
 * Responsibilities, requires 406.
 */
export function negotiate(accept: string | undefined, offered = documentMediaTypes): string | null {
  if (accept === undefined || accept.trim() === "") return offered[0] ?? null;
  const ranges = splitOutsideQuotes(accept, ",")
    .filter((range) => range !== "")
    .map(parseMediaType);
  const served = ranges.filter((range) => range.essence !== jsonApiMediaType || isPlainJsonApi(range.parameters));
  const isOnlyModified =
    ranges.some(({ essence }) => essence === jsonApiMediaType) &&
    !served.some(({ essence }) => essence === jsonApiMediaType);
  if (isOnlyModified && offered.includes(jsonApiMediaType)) return null;
  return offered.find((essence) => qualityValue(essence, served) > 0) ?? null;
}
