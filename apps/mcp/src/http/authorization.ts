/** A token as RFC 6750 spells it; nothing else can be one of ours. */
const scheme = /^(?:bearer|token) +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * The token of a request: from its Authorization header, else the server's own (docs/contract/specification.md
 * authentication.2). Undefined without a token or with a malformed header. A malformed header never falls back to the
 * server's token: the caller meant to authenticate.
 */
export function tokenOf(header: string | undefined, ownToken: string | undefined): string | undefined {
  return header === undefined ? ownToken : scheme.exec(header.trim())?.[1];
}
