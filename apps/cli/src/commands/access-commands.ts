import { createClient } from "@svc/sdk";
import type { Command } from "commander";
import { askValue } from "../access/ask-value.ts";
import { defaultBaseUrl, findAccess } from "../access/find-access.ts";
import { loginFile, removeLogin, writeLogin } from "../access/login-file.ts";
import { runningDemo } from "../access/running-demo.ts";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import { createOutput } from "../output/output.ts";
import type { GlobalOptions } from "../session.ts";
import type { World } from "../world.ts";

/**
 * Reads a token from a pipe, or from the terminal without showing it. An argument would stay in the shell's history.
 */
async function askToken(world: World): Promise<string> {
  if (world.input.isTTY !== true) {
    let text = "";
    for await (const chunk of world.input) text += String(chunk);
    return text.trim();
  }
  return askValue(world, "API token", true);
}

const masked = (token: string) => `…${token.slice(-4)}`;

/** `svc login`, `svc logout`, `svc config`. */
export function addAccessCommands(program: Command, world: World): void {
  program
    .command("login")
    .description("Check an API token and store it, readable by you only. The token is asked for, or read from a pipe.")
    .action(async (_options: object, command: Command) => {
      const given = command.optsWithGlobals<GlobalOptions>();
      const token = given.token ?? (await askToken(world));
      if (token === "") throw new CliError(exitCodes.usage, "No token was given.");
      const known = world.environment.SVC_API_BASE_URL || runningDemo(world)?.baseUrl || defaultBaseUrl;
      const baseUrl = given.baseUrl ?? known;
      await createClient({ token, baseUrl }).shipments.list({ pageSize: 1 }, { signal: world.signal });
      writeLogin(loginFile(world), { token, baseUrl });
      world.writeError(`Stored the token for ${baseUrl} in ${loginFile(world)}.\n`);
    });
  program
    .command("logout")
    .description("Delete the stored token.")
    .action(() => {
      const removed = removeLogin(loginFile(world));
      world.writeError(removed ? `Removed ${loginFile(world)}.\n` : "There was no stored token.\n");
    });
  program
    .command("config")
    .description("Show which address and token are used, and their origin.")
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const access = findAccess(options, world);
      await createOutput(world, options).record({
        baseUrl: access?.baseUrl ?? null,
        token: access ? masked(access.token) : null,
        source: access?.source ?? "none",
        loginFile: loginFile(world),
      });
    });
}
