import type { Instant } from "@svc/domain";
import type { Sql } from "@svc/persistence";
import { readTrackedVessels, storeVesselIdentities, storeVesselPositions } from "@svc/persistence/vessel-positions";
import { type Logger, repeat, throttleByCause, type WatchedLoop } from "@svc/service-kit";
import type { AisSource } from "./ais-source.ts";
import { holdSources } from "./hold-sources.ts";
import { type Connection, maintainConnection } from "./maintain-connection.ts";
import { HubPoller } from "./poll-hub.ts";
import { receiveDatagrams, receiveLines } from "./receive-nmea.ts";
import { receiveStream } from "./receive-stream.ts";
import { VesselTracker } from "./vessel-tracker.ts";

export const flushIntervalMs = 1_000;
/** How often the list of tracked vessels is read; less often where that takes long, so that it costs 5 % at most. */
const refreshEveryMs = 15_000;
const refreshCostShare = 0.05;
const logEveryMs = 60_000;

export interface VesselPositionOptions {
  readonly sql: Sql;
  readonly clock: { now(): Instant };
  readonly sources: readonly AisSource[];
  readonly logger: Logger;
  /** Counts a report of a source. */
  readonly count: (source: string, outcome: string) => void;
  readonly watched?: WatchedLoop;
}

/**
 * Receives positions of the vessels of tracked shipments and stores them every second. One of the workers connects to
 * each source. Datagrams are received by all of them: their sender chooses the worker.
 */
export function startVesselPositions(options: VesselPositionOptions): { stop(): Promise<void> } {
  const { sql, clock, sources, logger, count, watched } = options;
  const tracker = new VesselTracker({ now: () => clock.now(), count });
  let refreshAtMs = Number.NEGATIVE_INFINITY;

  const refresh = async (): Promise<void> => {
    const startedAtMs = performance.now();
    tracker.track(await readTrackedVessels(sql, clock.now()));
    const tookMs = performance.now() - startedAtMs;
    refreshAtMs = performance.now() + Math.max(refreshEveryMs, tookMs / refreshCostShare);
  };
  const store = async (): Promise<void> => {
    const pending = tracker.take();
    try {
      await storeVesselIdentities(sql, pending.identities);
      await storeVesselPositions(sql, pending.positions);
    } catch (error) {
      // Both statements change nothing that they have written already.
      tracker.putBack(pending);
      throw error;
    }
  };
  const failed = throttleByCause(logEveryMs, (error) => logger.warn({ err: error }, "ais.not_stored"));
  const storing = repeat(
    flushIntervalMs,
    async () => {
      if (performance.now() >= refreshAtMs) await refresh();
      await store();
    },
    failed,
    watched,
  );
  storing.run();
  const open = (source: AisSource) => {
    logger.info({ source: source.name, protocol: source.protocol }, "ais.started");
    return openSource(source, tracker, options);
  };
  const onError = throttleByCause(logEveryMs, (error) => logger.warn({ err: error }, "ais.sources_not_held"));
  const connections = sources.filter(isReceivedByAll).map(open);
  const held = sources.filter((source) => !isReceivedByAll(source));
  if (held.length > 0) connections.push(holdSources({ sql, sources: held, open, onError }));
  return {
    async stop() {
      await Promise.all(connections.map((connection) => connection.stop()));
      await storing.stop();
      await store().catch(failed);
    },
  };
}

const isReceivedByAll = ({ protocol }: AisSource): boolean => protocol === "nmea-udp";

function openSource(source: AisSource, tracker: VesselTracker, options: VesselPositionOptions): Connection {
  const { logger, clock } = options;
  const sink = tracker.sinkOf(source.name);
  const onEnded = throttleByCause(logEveryMs, (error) => {
    logger.warn({ source: source.name, reason: reasonOf(error) }, "ais.source_failed");
  });
  if (source.protocol === "aishub") return pollHub(new HubPoller(source, sink), source.everySeconds, tracker, onEnded);
  return maintainConnection(
    (signal, onReceived) => {
      const receiving = { sink, now: () => clock.now(), signal, onReceived };
      if (source.protocol === "aisstream") return receiveStream(source, sink, signal, onReceived);
      if (source.protocol === "nmea-udp") return receiveDatagrams(source, receiving);
      return receiveLines(source, receiving);
    },
    { onEnded },
  );
}

function pollHub(poller: HubPoller, everySeconds: number, tracker: VesselTracker, onFailed: (error: unknown) => void) {
  const stopping = new AbortController();
  const poll = () => poller.poll(tracker.imos(), stopping.signal);
  const polling = repeat(everySeconds * 1_000, poll, (error) => {
    if (!stopping.signal.aborted) onFailed(error);
  });
  return {
    async stop() {
      stopping.abort();
      await polling.stop();
    },
  };
}

/** A code of the operating system, or our own sentence: neither has an address or a credential in it. */
function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === "string") return code;
  return typeof message === "string" ? message : "the connection ended";
}
