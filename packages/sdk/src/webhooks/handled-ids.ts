/**
 * State of an id when a handler claims it: `new` (now claimed by the caller), `running` (claimed by another handler) or
 * `done` (already handled).
 */
export type Beginning = "new" | "running" | "done";

/**
 * Store of handled notification ids. An id is claimed, with an expiry, and then either done or released.
 * `begin` is atomic: of concurrent callers exactly one gets "new".
 */
export interface HandledIds {
  /**
   * Claims the id unless it is done or claimed.
   * @param owner identifies this handling: unique per call.
   * @param claimMs expiry of the claim in milliseconds, for a handler that was killed.
   */
  begin(id: string, owner: string, claimMs: number): Beginning | Promise<Beginning>;
  /** Marks the id as handled, regardless of its present claim. */
  done(id: string): void | Promise<void>;
  /** Releases the claim if this owner still holds it and the id is not done. */
  release(id: string, owner: string): void | Promise<void>;
}

export interface MemoryOptions {
  /** Maximum number of ids; the oldest is evicted first. Default 100,000. */
  readonly maxIds?: number;
  /** Monotonic time in milliseconds. */
  readonly nowMs?: () => number;
}

/** Ids in the memory of one process. */
export function handledIdsInMemory(options: MemoryOptions = {}): HandledIds {
  const { maxIds = 100_000, nowMs = () => performance.now() } = options;
  const claims = new Map<string, { readonly owner: string; readonly untilMs: number } | "done">();
  const put = (id: string, claim: { owner: string; untilMs: number } | "done"): void => {
    claims.set(id, claim);
    if (claims.size <= maxIds) return;
    const [oldest] = claims.keys();
    if (oldest !== undefined) claims.delete(oldest);
  };
  return {
    begin(id, owner, claimMs) {
      const claim = claims.get(id);
      if (claim === "done") return "done";
      if (claim !== undefined && nowMs() < claim.untilMs) return "running";
      put(id, { owner, untilMs: nowMs() + claimMs });
      return "new";
    },
    done: (id) => put(id, "done"),
    release(id, owner) {
      const claim = claims.get(id);
      if (claim !== "done" && claim?.owner === owner) claims.delete(id);
    },
  };
}
