import { createClient } from "@svc/sdk";
import type { Command } from "commander";
import { defaultBaseUrl, findAccess } from "../access/find-access.ts";
import { loginFile, removeLogin, writeLogin } from "../access/login-file.ts";
import { promptForValue } from "../access/prompt-for-value.ts";
import { runningDemo } from "../access/running-demo.ts";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import { createOutput } from "../output/output.ts";
import type { ProcessContext } from "../process-context.ts";
import type { GlobalOptions } from "../session.ts";

/**
 * Reads a token from a pipe, or from the terminal without showing it. An argument would stay in the shell's history.
 */
async function promptForToken(context: ProcessContext): Promise<string> {
  if (context.input.isTTY !== true) {
    let text = "";
    for await (const chunk of context.input) text += String(chunk);
    return text.trim();
  }
  return promptForValue(context, "API token", { isSecret: true });
}

const masked = (token: string) => `…${token.slice(-4)}`;

/** `svc login`, `svc logout`, `svc config`. */
export function addAccessCommands(program: Command, context: ProcessContext): void {
  program
    .command("login")
    .description("Check an API token and store it, readable by you only. The token is asked for, or read from a pipe.")
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const token = options.token ?? (await promptForToken(context));
      if (token === "") throw new CliError(exitCodes.usage, "No token was given.");
      const known = context.environment.SVC_API_BASE_URL || runningDemo(context)?.baseUrl || defaultBaseUrl;
      const baseUrl = options.baseUrl ?? known;
      await createClient({ token, baseUrl }).shipments.list({ pageSize: 1 }, { signal: context.signal });
      writeLogin(loginFile(context), { token, baseUrl });
      context.writeError(`Stored the token for ${baseUrl} in ${loginFile(context)}.\n`);
    });
  program
    .command("logout")
    .description("Delete the stored token.")
    .action(() => {
      const removed = removeLogin(loginFile(context));
      context.writeError(removed ? `Removed ${loginFile(context)}.\n` : "There was no stored token.\n");
    });
  program
    .command("config")
    .description("Show which address and token are used, and their origin.")
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const access = findAccess(options, context);
      await createOutput(context, options).record({
        baseUrl: access?.baseUrl ?? null,
        token: access ? masked(access.token) : null,
        source: access?.source ?? "none",
        loginFile: loginFile(context),
      });
    });
}
