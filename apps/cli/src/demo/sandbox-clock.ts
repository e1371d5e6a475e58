import { CliError, exitCodes } from "../errors/cli-error.ts";

/** The clock of the sandbox carrier, which its carrier and the service share. */
export interface SandboxClock {
  /** Stops the clock. Every call returns its time afterwards, in epoch milliseconds. */
  pause(): Promise<number>;
  /** Resumes the clock at its former speed. */
  resume(): Promise<number>;
  advance(hours: number): Promise<number>;
}

export function sandboxClock(sandbox: string, signal: AbortSignal): SandboxClock {
  const sendCommand = async (method: string, path: string, body?: object): Promise<number> => {
    const address = `${sandbox.replace(/\/+$/, "")}/_sandbox/clock${path}`;
    const content = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    const response = await fetch(address, { method, signal, ...content }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new CliError(
        exitCodes.unavailable,
        `No sandbox carrier responds at ${sandbox}: ${(error as Error).message}.`,
      );
    });
    if (!response.ok) throw new CliError(exitCodes.unavailable, `The sandbox carrier responded ${response.status}.`);
    return Date.parse(((await response.json()) as { now: string }).now);
  };
  return {
    pause: () => sendCommand("PUT", "", { paused: true }),
    resume: () => sendCommand("PUT", "", { paused: false }),
    advance: (hours) => sendCommand("POST", "/advance", { by: `${hours}h` }),
  };
}
