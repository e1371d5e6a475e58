import { randomInt } from "node:crypto";
import { type Command, InvalidArgumentError } from "commander";
import { runningDemo } from "../access/running-demo.ts";
import { expectedEvents, expectedStops } from "../demo/demo-stories.ts";
import { type DemoOptions, type DemoResult, runDemo } from "../demo/run-demo.ts";
import { sandboxClock } from "../demo/sandbox-clock.ts";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { integerBetween } from "./collection-commands.ts";

interface Options {
  readonly sandbox?: string;
  readonly seed?: string;
  readonly step: number;
  readonly pace: number;
}

function parseSeed(text: string): string {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("Give one to six digits.");
  return text.padStart(6, "0");
}

/** Numbers that are not tracked yet, so that every voyage starts from its beginning. */
const newSeed = () => String(randomInt(10_000)).padStart(6, "0");

function summary({ missingStops, missingEvents }: DemoResult): string {
  const reached = (what: string, total: number, missing: readonly string[]) =>
    `${total - missing.length} of ${total} ${what}${missing.length > 0 ? `; missing: ${missing.join(", ")}` : ""}`;
  return [
    reached("reasons for the end of tracking", expectedStops.length, missingStops),
    reached("kinds of events", expectedEvents.length, missingEvents),
  ].join("\n");
}

/** The last line. `verified`: exit code of the replay, undefined when it could not run. */
function conclusion(isComplete: boolean, verified: number | undefined): string {
  if (!isComplete)
    return "The demo is not complete: the lines above name what is missing. A busy machine needs more time for each step: try --pace 3000.";
  if (verified === undefined)
    return "The demo is complete: every kind of event and every reason for the end of tracking occurred. The stored state was not verified, because svc-admin is not installed here.";
  return verified === 0
    ? "The demo is complete: every kind of event and every reason for the end of tracking occurred, and recomputing all shipments from the stored carrier responses gives the stored state."
    : "Every kind of event and every reason for the end of tracking occurred, but the stored state could not be verified: the lines above say why.";
}

export function addDemoCommand(program: Command, context: ProcessContext, end: (exitCode: number) => void): void {
  program
    .command("demo")
    .description("Run twelve sandbox voyages at high speed and print their events; advances the sandbox clock.")
    .option("--sandbox <url>", "address of the sandbox carrier; default: that of the running installation")
    .option("--seed <digits>", "digits of the numbers; default: random", parseSeed)
    .option("--step <hours>", "simulated hours per step", integerBetween(1, 24), 6)
    .option("--pace <ms>", "real time for each step", integerBetween(0, 60_000), 1_000)
    .action(async ({ sandbox, seed, step, pace }: Options, command: Command) => {
      const session = openSession(command, context);
      const address = sandbox ?? runningDemo(context)?.sandbox;
      if (address === undefined)
        throw new CliError(exitCodes.usage, "No sandbox carrier is known: run `npm start` here, or give --sandbox.");
      const clock = sandboxClock(address, context.signal);
      const options: DemoOptions = { seed: seed ?? newSeed(), stepHours: step, paceMs: pace };
      let result: DemoResult;
      try {
        result = await runDemo(session, clock, options);
      } finally {
        // Uses a signal of its own, so that the clock resumes after an interruption too.
        await sandboxClock(address, AbortSignal.timeout(5_000)).resume();
      }
      await context.write(`\n${summary(result)}\n`);
      const verified = await context.run("svc-admin", ["replay", "--verify"]);
      const isComplete = result.missingStops.length === 0 && result.missingEvents.length === 0;
      await context.write(`${conclusion(isComplete, verified)}\n`);
      end(isComplete && (verified ?? 0) === 0 ? exitCodes.ok : exitCodes.unexpected);
    });
}
