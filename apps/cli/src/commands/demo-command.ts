import { randomInt } from "node:crypto";
import { type Command, InvalidArgumentError } from "commander";
import { runningDemo } from "../access/running-demo.ts";
import { expectedEvents, expectedStops } from "../demo/demo-stories.ts";
import { type DemoOptions, type DemoResult, runDemo } from "../demo/run-demo.ts";
import { sandboxClock } from "../demo/sandbox-clock.ts";
import { CliError } from "../errors/cli-error.ts";
import { exitCodes } from "../errors/exit-codes.ts";
import { openSession } from "../session.ts";
import type { World } from "../world.ts";
import { wholeNumber } from "./collection-commands.ts";

interface Options {
  readonly sandbox?: string;
  readonly seed?: string;
  readonly step: number;
  readonly pace: number;
}

function seedOf(text: string): string {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("Give one to six digits.");
  return text.padStart(6, "0");
}

/** Numbers that are not tracked yet, so that every voyage starts from its beginning. */
const newSeed = () => String(randomInt(10_000)).padStart(6, "0");

function summary({ missingStops, missingEvents }: DemoResult): string {
  const reached = (what: string, of: number, missing: readonly string[]) =>
    `${of - missing.length} of ${of} ${what}${missing.length > 0 ? `; missing: ${missing.join(", ")}` : ""}`;
  return [
    reached("stop reasons", expectedStops.length, missingStops),
    reached("events", expectedEvents.length, missingEvents),
  ].join("\n");
}

export function addDemoCommand(program: Command, world: World, end: (exitCode: number) => void): void {
  program
    .command("demo")
    .description("Run twelve sandbox voyages at high speed and print their events; advances the sandbox clock.")
    .option("--sandbox <url>", "address of the sandbox carrier; default: that of the running installation")
    .option("--seed <digits>", "digits of the numbers; default: random", seedOf)
    .option("--step <hours>", "simulated hours per step", wholeNumber(1, 24), 6)
    .option("--pace <ms>", "real time for each step", wholeNumber(0, 60_000), 1_000)
    .action(async ({ sandbox, seed, step, pace }: Options, command: Command) => {
      const session = openSession(command, world);
      const address = sandbox ?? runningDemo(world)?.sandbox;
      if (address === undefined)
        throw new CliError(exitCodes.usage, "No sandbox carrier is known: run `npm start` here, or give --sandbox.");
      const clock = sandboxClock(address, world.signal);
      const options: DemoOptions = { seed: seed ?? newSeed(), stepHours: step, paceMs: pace };
      let result: DemoResult;
      try {
        result = await runDemo(session, clock, options);
      } finally {
        // Also when it was interrupted, whose signal would forbid it.
        await sandboxClock(address, AbortSignal.timeout(5_000)).resume();
      }
      await world.write(`\n${summary(result)}\n`);
      const verified = await world.run("svc-admin", ["replay", "--verify"]);
      if (verified === undefined) session.output.note("Not verified by replay: there is no svc-admin here.");
      const isComplete = result.missingStops.length === 0 && result.missingEvents.length === 0;
      end(isComplete && (verified ?? 0) === 0 ? exitCodes.ok : exitCodes.unexpected);
    });
}
