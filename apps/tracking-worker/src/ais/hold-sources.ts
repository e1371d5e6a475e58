import { randomUUID } from "node:crypto";
import type { Sql } from "@svc/persistence";
import { holdAisSources, releaseAisSources } from "@svc/persistence/vessel-positions";
import { repeat } from "@svc/service-kit";
import type { AisSource } from "./ais-source.ts";
import type { Connection } from "./maintain-connection.ts";

/** Another worker takes over the sources of one that has vanished after this time. */
const leaseMs = 20_000;
const renewEveryMs = 5_000;

export interface HeldSourcesOptions {
  readonly sql: Sql;
  readonly sources: readonly AisSource[];
  readonly open: (source: AisSource) => Connection;
  readonly onError: (error: unknown) => void;
}

/** Keeps the connection to each source in one of the workers that have it in their configuration. */
export function holdSources(options: HeldSourcesOptions): Connection {
  const { sql, sources, open, onError } = options;
  const holder = randomUUID();
  const names = sources.map(({ name }) => name);
  const connections = new Map<string, Connection>();
  let heldUntilMs = 0;

  const connectTo = async (held: ReadonlySet<string>): Promise<void> => {
    const lost = [...connections].filter(([name]) => !held.has(name));
    for (const [name] of lost) connections.delete(name);
    await Promise.all(lost.map(([, connection]) => connection.stop()));
    for (const source of sources) {
      if (held.has(source.name) && !connections.has(source.name)) connections.set(source.name, open(source));
    }
  };

  const renew = async (): Promise<void> => {
    const startedAtMs = performance.now();
    try {
      const held = await holdAisSources(sql, { names, holder, leaseMs });
      heldUntilMs = startedAtMs + leaseMs;
      await connectTo(new Set(held));
    } catch (error) {
      // Another worker may be connected after the lease.
      if (performance.now() >= heldUntilMs) await connectTo(new Set());
      throw error;
    }
  };
  const renewing = repeat(renewEveryMs, renew, onError);
  renewing.run();
  return {
    async stop() {
      await renewing.stop();
      await connectTo(new Set());
      await releaseAisSources(sql, holder).catch(onError);
    },
  };
}
