import { connectDatabase, type Database } from "@svc/persistence";
import { createAdministration } from "@svc/persistence/administration";
import { Command, CommanderError } from "commander";
import { AdminError } from "./admin-error.ts";
import type { AdminContext, AdminSession } from "./admin-session.ts";
import { addAccountCommands } from "./commands/account-commands.ts";
import { addArchiveCommands } from "./commands/archive-commands.ts";
import { addCarrierCommands } from "./commands/carrier-commands.ts";
import { addConfigCommand } from "./commands/config-command.ts";
import { addDoctorCommand } from "./commands/doctor-command.ts";
import { addEdiCommands } from "./commands/edi-commands.ts";
import { addQueueCommands } from "./commands/queue-commands.ts";
import { addReplayCommand } from "./commands/replay-command.ts";
import { addSecretCommands } from "./commands/secret-commands.ts";
import { addTokenCommands } from "./commands/token-commands.ts";
import { addUserCommands } from "./commands/user-commands.ts";

/** `--json` on every command that prints records: JSON lines, as in a pipe. */
function addJsonOption(command: Command, onJson: () => void): void {
  for (const child of command.commands) addJsonOption(child, onJson);
  if (command.commands.length > 0) return;
  command.option("--json", "print one JSON object per line, also on a terminal");
  command.hook("preAction", (_program, action) => {
    if (action.opts<{ json?: boolean }>().json) onJson();
  });
}

/**
 * Runs one command line of the operator; resolves to the exit code: 0 done, 2 used wrongly, 4 not found, 1 anything
 * else, and differences that a replay finds. A new command is a file in `commands` that is added here.
 */
export async function runAdmin(args: readonly string[], initialContext: AdminContext): Promise<number> {
  const context = { ...initialContext };
  let database: Database | undefined;
  let exitCode = 0;
  const session: AdminSession = {
    context,
    administration: () => createAdministration(session.database()),
    end(code) {
      exitCode = code;
    },
    database() {
      const url = context.databaseUrl;
      if (!url) throw new AdminError(2, "DATABASE_URL is missing (postgresql://user:password@host:5432/name).");
      database ??= connectDatabase({
        url,
        maxConnections: 2,
        applicationName: "svc-admin",
        actor: { type: "operator" },
        onIdleError: () => undefined,
      });
      return database;
    },
  };
  const program = new Command("svc-admin")
    .description("Administer the service and verify its stored state, in the database (DATABASE_URL).")
    .showSuggestionAfterError()
    .configureOutput({ writeOut: context.write, writeErr: context.writeError })
    .exitOverride();
  addAccountCommands(program, session);
  addTokenCommands(program, session);
  addUserCommands(program, session);
  addCarrierCommands(program, session);
  addEdiCommands(program, session);
  addQueueCommands(program, session);
  addSecretCommands(program, session);
  addDoctorCommand(program, session);
  addArchiveCommands(program, session);
  addReplayCommand(program, session);
  addConfigCommand(program, session);
  addJsonOption(program, () => {
    context.isTerminal = false;
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    context.writeError(`svc-admin: ${(error as Error).message}\n`);
    return error instanceof AdminError ? error.exitCode : 1;
  } finally {
    await database?.close();
  }
}
