import { type ChildProcess, spawn } from "node:child_process";
import os from "node:os";
import { type ChildExit, waitForExit } from "@svc/local-stores";

/** A program that a test runs as a separate process, with its output. */
export interface Program {
  readonly pid: number;
  /** The last million characters of stdout and stderr, in order of arrival. */
  output(): string;
  readonly exited: Promise<ChildExit>;
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGTERM, and SIGKILL after `graceMs`. Resolves when the program has ended. */
  stop(graceMs?: number): Promise<ChildExit>;
}

const outputCharsMax = 1_000_000;

/**
 * Returns the variables that a program needs from the machine: PATH and HOME, and the temporary folder and module cache
 * of the test run.
 */
export function machineEnvironment(): Readonly<Record<string, string>> {
  const { PATH = "", HOME = "", TMPDIR = os.tmpdir(), NODE_COMPILE_CACHE = "" } = process.env;
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE };
}

/** Killed when the test ends. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts `node <args>` with only the given environment and that of the machine, so that a test controls all of its
 * variables.
 * The program is killed when the test ends.
 */
export function startProgram(
  args: readonly string[],
  options: { readonly environment?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Program {
  const child = spawn(process.execPath, args, {
    env: { ...machineEnvironment(), ...options.environment },
    ...(options.cwd ? { cwd: options.cwd } : {}),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = waitForExit(child);
  running.add(child);
  void exited.then(() => running.delete(child));
  let output = "";
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
    if (output.length > 2 * outputCharsMax) output = output.slice(-outputCharsMax);
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return {
    pid: child.pid ?? 0,
    output: () => output,
    exited,
    kill: (signal) => void child.kill(signal),
    async stop(graceMs = 10_000) {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
      const exit = await exited;
      clearTimeout(timer);
      return exit;
    },
  };
}
