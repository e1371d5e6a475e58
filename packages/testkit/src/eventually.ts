import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 50;

/**
 * Repeats the attempt until it returns something other than undefined, null or false, and returns that. An attempt that
 * throws is repeated too. Rejects after `timeoutMs` with the message of the last error.
 */
export async function eventually<T>(
  what: string,
  attempt: () => Promise<T> | T,
  timeoutMs = 20_000,
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let failure = "";
    try {
      const result = await attempt();
      if (result !== undefined && result !== null && result !== false) {
        return result as Exclude<T, undefined | null | false>;
      }
    } catch (error) {
      failure = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms${failure}`);
    await sleep(pollMs);
  }
}
