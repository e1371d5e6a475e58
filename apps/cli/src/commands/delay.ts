import { setTimeout } from "node:timers/promises";

/** Rejects with the signal's reason when it is aborted meanwhile. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(Math.max(0, ms), undefined, { signal });
}
