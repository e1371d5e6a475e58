/** Where handled ids are kept. Share one (Redis `SET NX`, a unique column) between the processes that receive deliveries. */
export interface HandledIds {
  /** Remembers the id; false when it was there already. */
  claim(id: string): boolean | Promise<boolean>;
  /** Forgets the id, because its handling failed and the next delivery must be handled. */
  release(id: string): void | Promise<void>;
}

export interface MemoryOptions {
  /** Ids kept, the oldest forgotten first. 100,000 by default. */
  readonly maxIds?: number;
}

/** Ids of one process, lost when it ends. */
export function handledIdsInMemory(options: MemoryOptions = {}): HandledIds {
  const maxIds = options.maxIds ?? 100_000;
  const ids = new Set<string>();
  return {
    claim(id) {
      if (ids.has(id)) return false;
      ids.add(id);
      if (ids.size > maxIds) {
        const [oldest] = ids;
        if (oldest !== undefined) ids.delete(oldest);
      }
      return true;
    },
    release(id) {
      ids.delete(id);
    },
  };
}

/**
 * Runs a handler once for each notification, however often it is delivered (interface-specification.md, Events 2).
 * Resolves to whether this delivery was the one that was handled: answer both with 200. When the handler fails, its error
 * is passed on and the id forgotten, so that the next delivery is handled. A second delivery that arrives while the first
 * is still being handled shares its outcome.
 */
export function createDeduplicator(
  ids: HandledIds = handledIdsInMemory(),
): (id: string, handle: () => void | Promise<void>) => Promise<boolean> {
  const underWay = new Map<string, Promise<boolean>>();
  const once = async (id: string, handle: () => void | Promise<void>): Promise<boolean> => {
    if (!(await ids.claim(id))) return false;
    try {
      await handle();
      return true;
    } catch (error) {
      await ids.release(id);
      throw error;
    }
  };
  return (id, handle) => {
    const first = underWay.get(id);
    if (first !== undefined) return first.then(() => false);
    const outcome = once(id, handle).finally(() => underWay.delete(id));
    underWay.set(id, outcome);
    return outcome;
  };
}
