import type { Request, Response, Router } from "express";
import { Router as createRouter } from "express";
import type { Logger } from "./logger.ts";
import { resolvesWithin } from "./resolves-within.ts";

/** Resolves when the dependency responds; rejects when it does not. */
export type ReadinessCheck = () => Promise<unknown>;

const checkTimeoutMs = 2_000;

/** Null when the check succeeds. */
async function checkFailure(check: ReadinessCheck): Promise<unknown> {
  try {
    return (await resolvesWithin(check(), checkTimeoutMs)) ? null : new Error("no response in time");
  } catch (error) {
    return error ?? new Error("no reason given");
  }
}

/**
 * `/healthz` (liveness: 503 while a loop of the process is stalled) and `/readyz` (readiness: 503 while a dependency
 * does not respond or the service is stopping), as docs/contract/decisions.md 3 requires of every service. Requests
 * that arrive during a check share its result.
 */
export function healthRoutes(options: {
  checks: Readonly<Record<string, ReadinessCheck>>;
  logger: Logger;
  isStopping: () => boolean;
  /** Names of stalled loops; see Watchdog. */
  stalledLoops: () => readonly string[];
}): Router {
  const router = createRouter();
  const names = Object.keys(options.checks);
  const failing = new Set<string>();
  let checking: Promise<unknown> | undefined;

  async function check(name: string): Promise<void> {
    const failure = await checkFailure(options.checks[name] as ReadinessCheck);
    if (failure !== null && !failing.has(name)) options.logger.warn({ check: name, err: failure }, "readiness.failed");
    if (failure === null && failing.has(name)) options.logger.info({ check: name }, "readiness.restored");
    if (failure === null) failing.delete(name);
    else failing.add(name);
  }

  router.get("/healthz", (_request: Request, response: Response) => {
    const stalled = options.stalledLoops();
    if (stalled.length === 0) response.json({ status: "ok" });
    else response.status(503).json({ status: "stalled", loops: stalled });
  });
  router.get("/readyz", async (_request: Request, response: Response) => {
    checking ??= Promise.all(names.map(check)).finally(() => {
      checking = undefined;
    });
    await checking;
    const checks = Object.fromEntries(names.map((name) => [name, failing.has(name) ? "failing" : "ok"]));
    const ready = !options.isStopping() && failing.size === 0;
    response.status(ready ? 200 : 503).json({ status: ready ? "ready" : "not_ready", checks });
  });
  return router;
}
