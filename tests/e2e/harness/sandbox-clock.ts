import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "@svc/testkit";
import type { System } from "./system.ts";

/** How long the workers take to notice what a step brings. Each look at the API counts against its limits, too. */
const stepPauseMs = 700;

async function requestClock(system: System, method: "GET" | "PUT" | "POST", path: "" | "/advance", body?: object) {
  const response = await fetch(`${system.runtime().sandbox}/_sandbox/clock${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The sandbox's clock answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { readonly now: string };
}

/** The clock of the simulated voyages. `by`: a number with `s`, `m`, `h` or `d`. */
export const sandboxClock = {
  read: (system: System) => requestClock(system, "GET", ""),
  advance: (system: System, by: string) => requestClock(system, "POST", "/advance", { by }),
  pause: (system: System) => requestClock(system, "PUT", "", { paused: true }),
};

/**
 * Advances the voyages in steps, so that their events are received on the way, until the attempt returns something, and
 * returns that.
 */
export function sailUntil<T>(
  system: System,
  what: string,
  attempt: () => Promise<T> | T,
  { by = "12h", timeoutMs = 120_000 } = {},
): Promise<Exclude<T, undefined | null | false>> {
  return eventually(
    what,
    async () => {
      const result = await attempt();
      if (result !== undefined && result !== null && result !== false) return result;
      await sandboxClock.advance(system, by);
      await delay(stepPauseMs);
      return undefined;
    },
    timeoutMs,
  ) as Promise<Exclude<T, undefined | null | false>>;
}
