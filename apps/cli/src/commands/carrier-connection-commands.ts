import { type ConnectionCredentials, UsageError } from "@svc/sdk";
import { type Command, Option } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { requireGroup } from "./collection-commands.ts";
import { readText } from "./read-file.ts";

const credentialsHelp =
  'file with JSON such as {"kind":"api_key","headers":[{"name":"Key","value":"…"}]}; "-" reads a pipe';

/** Reads credentials from a file, because every user of the machine can see arguments. */
async function readCredentials(file: string, context: ProcessContext): Promise<ConnectionCredentials> {
  try {
    return JSON.parse(await readText(file, context)) as ConnectionCredentials;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("The credentials are not JSON.");
  }
}

interface Changes {
  readonly credentials?: string;
  readonly active?: true;
  readonly inactive?: true;
}

export function addCarrierConnectionCommands(program: Command, context: ProcessContext): void {
  const group = requireGroup(program, "carrier-connections");
  group
    .command("create")
    .description("Connect a carrier with your own credentials; the response has the secret that signs its pushes.")
    .argument("<scac>")
    .option("--credentials <file>", `${credentialsHelp}; without it none`)
    .action(async (scac: string, options: Changes, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const none: ConnectionCredentials = { kind: "none" };
      const credentials =
        options.credentials === undefined ? none : await readCredentials(options.credentials, context);
      await output.record(await client.carrierConnections.create({ scac, credentials }, call));
    });
  group
    .command("update")
    .description("Replace the credentials, or activate and deactivate the connection.")
    .argument("<id>")
    .option("--credentials <file>", credentialsHelp)
    .option("--active", "activate it")
    .addOption(new Option("--inactive", "do not use it").conflicts("active"))
    .action(async (id: string, options: Changes, command: Command) => {
      const { credentials: file, active, inactive } = options;
      if (!file && !active && !inactive) command.error("error: say what: --credentials, --active or --inactive");
      const { client, output, call } = openSession(command, context);
      const credentials = file === undefined ? undefined : await readCredentials(file, context);
      const edit = { ...(credentials && { credentials }), ...((active || inactive) && { active: active === true }) };
      await output.record(await client.carrierConnections.update(id, edit, call));
    });
  group
    .command("delete")
    .description("Delete the connection and its credentials.")
    .argument("<id>")
    .action(async (id: string, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      await client.carrierConnections.delete(id, { signal: call.signal });
      output.note(`Deleted ${id}.`);
    });
}
