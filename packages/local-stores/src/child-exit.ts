import type { ChildProcess } from "node:child_process";

/** How a child ended. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Resolves when the child has ended, also when it could not be started at all (then `code` is -1). */
export function waitForExit(child: ChildProcess): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", () => {
      if (child.pid === undefined) resolve({ code: -1, signal: null });
    });
  });
}

/** Sends `signal` to a child, and `forceSignal` after `graceMs`. Resolves when the child has ended. */
export async function stopChild(
  child: ChildProcess,
  exited: Promise<ChildExit>,
  options: { readonly signal: NodeJS.Signals; readonly forceSignal: NodeJS.Signals; readonly graceMs: number },
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(options.signal);
  const timer = setTimeout(() => child.kill(options.forceSignal), options.graceMs);
  await exited;
  clearTimeout(timer);
}
