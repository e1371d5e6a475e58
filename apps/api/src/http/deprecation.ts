/** Deprecation of an operation, which will be removed. */
export interface Deprecation {
  /** Day since which no new client should use it: `2026-11-22`. */
  readonly since: string;
  /** First day on which it may be removed. */
  readonly sunset: string;
  /** Sentence that names the replacement. */
  readonly instead: string;
}

/** The fields Deprecation (RFC 9745) and Sunset (RFC 8594): midnight UTC of each day; names and values in turn. */
export function deprecationHeaders({ since, sunset }: Deprecation): string[] {
  const deprecated = ["Deprecation", `@${Date.parse(since) / 1_000}`];
  return [...deprecated, "Sunset", new Date(sunset).toUTCString()];
}
