/**
 * What a store knew of an id that somebody asked to begin: nothing, so that it is the asker's now; that it is being handled;
 * or that it has been handled.
 */
export type Beginning = "new" | "running" | "done";

/**
 * Where ids of notifications are kept. An id is claimed, which ends by itself, and then either done or released. `begin` is
 * one step: of several that ask at once, one is told "new".
 */
export interface HandledIds {
  /**
   * Claims the id unless it is done or claimed.
   * @param owner names this one handling: no other call has the same.
   * @param claimMs after which the claim has ended, because whoever made it was killed.
   */
  begin(id: string, owner: string, claimMs: number): Beginning | Promise<Beginning>;
  /** The id has been handled, whoever has claimed it meanwhile. */
  done(id: string): void | Promise<void>;
  /** Ends the claim, if it is still this owner's and the id is not done. */
  release(id: string, owner: string): void | Promise<void>;
}

export interface MemoryOptions {
  /** Ids kept, the oldest forgotten first. 100,000 by default. */
  readonly maxIds?: number;
  /** The time in milliseconds, never going back. */
  readonly nowMs?: () => number;
}

/** Ids of one process, lost when it ends. */
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
