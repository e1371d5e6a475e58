import { Pool } from "undici";
import { checkResponses, type LoadOptions } from "./load.ts";
import { atRate, percentile } from "./percentile.ts";

export interface SteadyOptions extends LoadOptions {
  readonly perSecond: number;
}

export interface SteadyResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Sends `perSecond` requests over at most `connections` connections for `seconds`, after a warm-up of one second,
 * whether or not the ones before are answered. Each is timed from when it was due, so that a pause counts for all that
 * waited. Rejects when any answer is not 2xx (or a redirect, where one is good), and when a connection fails.
 */
export async function steadyLoad(options: SteadyOptions): Promise<SteadyResult> {
  const pool = new Pool(options.url, { connections: options.connections, pipelining: 1 });
  const tookMs: number[] = [];
  let refused = 0;
  let errors = 0;
  const send = async (dueMs: number) => {
    const { path, body, headers } = options.nextRequest();
    const method = options.method ?? "GET";
    try {
      const response = await pool.request({
        path,
        body: body ?? null,
        method,
        headers: { ...options.headers, ...headers },
      });
      await response.body.dump();
      if (response.statusCode >= (options.redirects ? 400 : 300)) refused += 1;
      tookMs.push(performance.now() - dueMs);
    } catch {
      errors += 1;
    }
  };
  try {
    await atRate(options.perSecond, 1, (_index, dueMs) => send(dueMs));
    tookMs.length = 0;
    await atRate(options.perSecond, options.seconds, (_index, dueMs) => send(dueMs));
  } finally {
    await pool.close();
  }
  checkResponses(options, { refused, errors, answered: tookMs.length });
  return { p50Ms: percentile(tookMs, 0.5), p99Ms: percentile(tookMs, 0.99) };
}
