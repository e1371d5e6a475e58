import type { Command } from "commander";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import type { ProcessContext } from "../process-context.ts";

const adminProgram = "svc-admin";

/**
 * `svc admin …` is the program `svc-admin` with the same words, where it is installed: it works on the database, which
 * this program does not use.
 */
export function addAdminCommand(program: Command, context: ProcessContext, end: (exitCode: number) => void): void {
  program
    .command("admin")
    .description("Administer the database: accounts, tokens, replay (runs svc-admin, on the server).")
    .helpOption(false)
    .allowUnknownOption()
    .argument("[words...]")
    .action(async (args: string[]) => {
      const code = await context.run(adminProgram, args);
      if (code === undefined) {
        const advice = "it is part of the service's installation, beside its database";
        throw new CliError(exitCodes.usage, `There is no ${adminProgram} here; ${advice}.`);
      }
      end(code);
    });
}
