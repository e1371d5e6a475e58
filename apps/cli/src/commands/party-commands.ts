import type { Command } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { requireGroup } from "./collection-commands.ts";

export function addPartyCommands(program: Command, context: ProcessContext): void {
  const group = requireGroup(program, "parties");
  group
    .command("create")
    .description("Add a company that tracking requests can name as customer.")
    .argument("<company>", "company name")
    .action(async (companyName: string, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      await output.record(await client.parties.create({ companyName }, call));
    });
  group
    .command("edit")
    .description("Rename a company.")
    .argument("<id>")
    .argument("<company>", "new company name")
    .action(async (id: string, companyName: string, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      await output.record(await client.parties.update(id, { companyName }, call));
    });
}
