import { exitCodes } from "./errors/cli-error.ts";
import { describeError } from "./errors/describe-error.ts";
import type { ProcessContext } from "./process-context.ts";
import { createProgram } from "./program.ts";

/** Runs one command line; resolves to the exit code, whatever happens. */
export async function runCli(args: readonly string[], context: ProcessContext): Promise<number> {
  let exitCode: number = exitCodes.ok;
  try {
    await createProgram(context, (code) => (exitCode = code)).parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (context.signal.aborted) return exitCodes.interrupted;
    const description = describeError(error);
    if (description.message !== "") context.writeError(`svc: ${description.message}\n`);
    return description.exitCode;
  }
}
