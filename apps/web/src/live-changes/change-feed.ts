import type { WatchedRecords } from "@svc/persistence/live-changes";

/** A page shows a change within a second, with the time that its request takes. */
const everyMs = 400;

export interface ChangeListener {
  /** Changes from now on are reported. A page that was read before may be older. */
  ready(): void;
  changed(): void;
}

/** Reports changes of records to the open pages of this process. */
export interface ChangeFeed {
  /** Returns the function that ends it. */
  watch(records: WatchedRecords, listener: ChangeListener): () => void;
}

interface Watched {
  readonly records: WatchedRecords;
  readonly listeners: Set<ChangeListener>;
  /** Undefined until it was read once. */
  version: string | undefined;
}

/**
 * Reads the versions of all watched records together, and of each only once, however many pages show it; nothing while
 * no page is open. After a failure the next read finds what changed meanwhile.
 */
export function createChangeFeed(options: {
  /** Reads the versions in the order of the records. */
  readonly readVersions: (records: readonly WatchedRecords[]) => Promise<readonly string[]>;
  readonly onFailure: (error: unknown) => void;
}): ChangeFeed {
  const watched = new Map<string, Watched>();
  let isRunning = false;
  let hasFailed = false;

  const compare = async (): Promise<void> => {
    const read = [...watched.values()];
    const versions = await options.readVersions(read.map(({ records }) => records));
    for (const [index, one] of read.entries()) {
      const before = one.version;
      one.version = versions[index] ?? "";
      if (before === one.version) continue;
      for (const listener of one.listeners) before === undefined ? listener.ready() : listener.changed();
    }
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    while (watched.size > 0) {
      try {
        await compare();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) options.onFailure(error);
        hasFailed = true;
      }
      await new Promise<void>((resolve) => setTimeout(resolve, everyMs).unref());
    }
    isRunning = false;
  };

  return {
    watch(records, listener) {
      const key = `${records.accountId}/${records.shipmentId ?? ""}`;
      const one = watched.get(key) ?? { records, listeners: new Set<ChangeListener>(), version: undefined };
      watched.set(key, one);
      one.listeners.add(listener);
      if (one.version !== undefined) listener.ready();
      if (!isRunning) void run();
      return () => {
        one.listeners.delete(listener);
        if (one.listeners.size === 0 && watched.get(key) === one) watched.delete(key);
      };
    },
  };
}
