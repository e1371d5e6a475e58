/** A token as RFC 6750 spells it; nothing else can be one of ours. */
const scheme = /^(?:bearer|token) +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * The token of a request: from its Authorization header, else the server's own (docs/contract/specification.md
 * authentication.2). Undefined without a token or with a malformed header. A malformed header never falls back to the
 * server's token: the caller meant to authenticate.
 */
export function resolveToken(header: string | undefined, ownToken: string | undefined): string | undefined {
  return header === undefined ? ownToken : scheme.exec(header.trim())?.[1];
}

/** Whether the media type is JSON, with or without a charset. */
export function isJson(contentType: string | undefined): boolean {
  return contentType?.split(";")[0]?.trim().toLowerCase() === "application/json";
}

/** Whether the caller accepts both response types, as the protocol requires. No header or a wildcard accepts both. */
export function acceptsResponses(accept: string | undefined): boolean {
  if (accept === undefined) return true;
  const types = accept.split(",").map((part) => part.split(";")[0]?.trim().toLowerCase() ?? "");
  const accepts = (type: string) =>
    types.includes(type) || types.includes("*/*") || types.includes(`${type.split("/")[0]}/*`);
  return accepts("application/json") && accepts("text/event-stream");
}
