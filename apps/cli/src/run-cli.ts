import { exitCodes } from "./errors/cli-error.ts";
import { describeError } from "./errors/describe-error.ts";
import { createProgram } from "./program.ts";
import type { World } from "./world.ts";

/** Runs one command line; resolves to the exit code, whatever happens. */
export async function runCli(args: readonly string[], world: World): Promise<number> {
  let exitCode: number = exitCodes.ok;
  try {
    await createProgram(world, (code) => (exitCode = code)).parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (world.signal.aborted) return exitCodes.interrupted;
    const description = describeError(error);
    if (description.message !== "") world.writeError(`svc: ${description.message}\n`);
    return description.exitCode;
  }
}
