/** A token as RFC 6750 spells it; nothing else can be one of ours. */
const scheme = /^(?:bearer|token) +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * The token of a request: from its Authorization header, else the server's own (docs/contract/specification.md
 * authentication.2). Undefined: there is none, or the header is not one that is understood. A header that is not
 * understood never falls back to the server's token: the caller meant to be somebody.
 */
export function tokenOf(header: string | undefined, ownToken: string | undefined): string | undefined {
  return header === undefined ? ownToken : scheme.exec(header.trim())?.[1];
}
