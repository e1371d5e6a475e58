import { setTimeout } from "node:timers/promises";

const waitMs = 10_000;
const pauseMs = 200;

async function isRunning(response: Response): Promise<boolean> {
  if (response.status !== 409) return false;
  const { errors } = (await response.clone().json()) as { errors?: readonly { readonly code?: string }[] };
  return errors?.some(({ code }) => code === "idempotency_in_progress") ?? false;
}

/**
 * `fetch` for a form that is submitted twice: while the first request with its Idempotency-Key is still running, it
 * repeats the second one for some seconds. The API then replays the first response, which the browser shows.
 */
export async function waitWhileRunning(url: string, init: RequestInit): Promise<Response> {
  const end = Date.now() + waitMs;
  for (;;) {
    const response = await fetch(url, init);
    if (Date.now() > end || !(await isRunning(response))) return response;
    await setTimeout(pauseMs, undefined, init.signal ? { signal: init.signal } : {});
  }
}
