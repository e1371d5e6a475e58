import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ChildExit, stopChild, waitForExit } from "@svc/local-stores";
import type { ServicePlan } from "./service-plans.ts";
import { StartError } from "./start-error.ts";
import type { Process } from "./supervisor.ts";

/** Leaves time within the ten seconds of a stop for the stores, which come after the services. */
const stopGraceMs = 6_000;
const readyTimeoutMs = 60_000;
const pollMs = 50;

function eachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  stream.on("end", () => {
    if (rest) onLine(rest);
  });
}

/** Starts the built service as a process of its own. Throws StartError when it was not built. */
export function startService(
  plan: ServicePlan,
  appsFolder: string,
  onLine: (service: string, line: string) => void,
): Process {
  const folder = path.join(appsFolder, plan.name);
  const script = path.join(folder, "dist/main.js");
  if (!fs.existsSync(script)) throw new StartError(`The service ${plan.name} is not built; \`npm start\` builds it.`);
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: plan.environment,
    stdio: ["ignore", "pipe", "pipe"],
    // Ctrl-C in a terminal reaches the whole group; the launcher alone decides in which order to stop.
    detached: true,
  });
  const exited = waitForExit(child);
  for (const stream of [child.stdout, child.stderr]) eachLine(stream, (line) => onLine(plan.name, line));
  return {
    pid: child.pid ?? 0,
    exited,
    stop: () => stopChild(child, exited, { signal: "SIGTERM", forceSignal: "SIGKILL", graceMs: stopGraceMs }),
  };
}

/** Returns the reason why a service is not ready, as it reports it; null: it is ready. */
async function readinessProblem(port: number): Promise<string | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(3_000) });
    return response.ok ? null : await response.text();
  } catch {
    return "no response";
  }
}

/** Resolves when the service reports that it is ready. Rejects when it exits first, or after the timeout. */
export async function serviceReady(plan: ServicePlan, process: Process, signal: AbortSignal): Promise<void> {
  let exit: ChildExit | undefined;
  void process.exited.then((ended) => {
    exit = ended;
  });
  const deadline = performance.now() + readyTimeoutMs;
  for (;;) {
    const problem = await readinessProblem(plan.port);
    if (problem === null) return;
    signal.throwIfAborted();
    if (exit) throw new StartError(`The service ${plan.name} ended while it started; its last words are above.`);
    if (performance.now() > deadline) {
      throw new StartError(`The service ${plan.name} is not ready after ${readyTimeoutMs / 1000} s: ${problem}`);
    }
    await sleep(pollMs);
  }
}
