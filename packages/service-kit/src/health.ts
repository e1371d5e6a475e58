import type { Request, Response, Router } from "express";
import { Router as createRouter } from "express";

/** Resolves when the dependency answers; rejects when it does not. */
export type ReadinessCheck = () => Promise<unknown>;

const checkTimeoutMs = 2_000;

async function outcome(check: ReadinessCheck): Promise<"ok" | "failing"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), checkTimeoutMs);
  });
  try {
    await Promise.race([check(), late]);
    return "ok";
  } catch {
    return "failing";
  } finally {
    clearTimeout(timer);
  }
}

/**
 * `/healthz` (the process is alive; 503 while one of its loops hangs) and `/readyz` (its dependencies answer; 503 while
 * one does not, or while it stops), as docs/contract/decisions.md 3 asks of every service. Requests that arrive while the
 * dependencies are being checked share the result.
 */
export function healthRoutes(options: {
  checks: Readonly<Record<string, ReadinessCheck>>;
  isStopping: () => boolean;
  /** Loops that hang; see Watchdog. */
  stalledLoops: () => readonly string[];
}): Router {
  const router = createRouter();
  const names = Object.keys(options.checks);
  let checking: Promise<("ok" | "failing")[]> | undefined;
  router.get("/healthz", (_request: Request, response: Response) => {
    const stalled = options.stalledLoops();
    if (stalled.length === 0) response.json({ status: "ok" });
    else response.status(503).json({ status: "stalled", loops: stalled });
  });
  router.get("/readyz", async (_request: Request, response: Response) => {
    checking ??= Promise.all(Object.values(options.checks).map(outcome)).finally(() => {
      checking = undefined;
    });
    const results = await checking;
    const checks = Object.fromEntries(names.map((name, index) => [name, results[index]]));
    const ready = !options.isStopping() && results.every((result) => result === "ok");
    response.status(ready ? 200 : 503).json({ status: ready ? "ready" : "not_ready", checks });
  });
  return router;
}
