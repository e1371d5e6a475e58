import type { Response } from "express";
import { Gauge, type Registry } from "prom-client";

/** A browser holds one for each visible window. */
const streamsPerSessionMax = 6;
/** Maximum number of streams in this process; each is an open connection. */
const streamsMax = 5_000;
/** Proxies close connections that are silent for a minute. */
const heartbeatEveryMs = 20_000;
/** The browser connects again, and its session is checked again. */
const streamMaxMs = 300_000;
/** How long a browser waits before it connects again, so that those of a process that stopped do not come together. */
const reconnectMs = { least: 500, spread: 2_000 };

export interface EventStream {
  send(event: string): void;
  /** Aborted when the stream ends, from either side. */
  readonly ended: AbortSignal;
}

export interface EventStreams {
  /** Begins a stream of server-sent events; null at the limit of the session or the process: nothing is sent. */
  open(response: Response, session: string): EventStream | null;
}

/** Server-sent events of this process. `stopping` ends all streams, so that a shutdown waits for none. */
export function createEventStreams(metrics: Registry, stopping?: AbortSignal): EventStreams {
  const sessions = new Map<Response, string>();
  new Gauge({
    name: "svc_deeplink_event_streams",
    help: "Open pages that are notified of changes",
    registers: [metrics],
    collect() {
      this.set(sessions.size);
    },
  });
  stopping?.addEventListener("abort", () => {
    for (const response of sessions.keys()) response.end();
  });

  const hasRoomFor = (session: string): boolean => {
    const own = [...sessions.values()].filter((one) => one === session).length;
    return sessions.size < streamsMax && own < streamsPerSessionMax;
  };

  return {
    open(response, session) {
      if (!hasRoomFor(session)) return null;
      sessions.set(response, session);
      const ended = new AbortController();
      // A browser that receives nothing more is disconnected rather than kept in memory.
      const write = (text: string): void => {
        if (response.writableNeedDrain) response.destroy();
        else if (!response.writableEnded) response.write(text);
      };
      const heartbeat = setInterval(() => write(":\n\n"), heartbeatEveryMs).unref();
      const deadline = setTimeout(() => response.end(), streamMaxMs).unref();
      response.once("close", () => {
        clearInterval(heartbeat);
        clearTimeout(deadline);
        sessions.delete(response);
        ended.abort();
      });
      response.status(200).set({
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store, no-transform",
        // The connection ends with the stream, so that a shutdown does not wait for it to become idle.
        Connection: "close",
        // nginx would collect the events.
        "X-Accel-Buffering": "no",
      });
      write(`retry: ${Math.round(reconnectMs.least + Math.random() * reconnectMs.spread)}\n\n`);
      if (stopping?.aborted) response.end();
      return { send: (event) => write(`event: ${event}\ndata:\n\n`), ended: ended.signal };
    },
  };
}
