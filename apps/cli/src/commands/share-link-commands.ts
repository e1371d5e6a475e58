import { type Command, Option } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { addForEachId, requireGroup, timeAhead } from "./collection-commands.ts";
import { resolveId } from "./resolve-id.ts";

interface ShareOptions {
  readonly references?: true;
  readonly fees?: true;
  readonly expires?: string | false;
}

export function addShareLinkCommands(program: Command, context: ProcessContext): void {
  program
    .command("share")
    .description("Create a public read-only page of a shipment; anyone with its address can open it.")
    .argument("<shipment>", "id or number")
    .option("--references", "show reference numbers")
    .option("--fees", "show the fees at the terminal")
    .addOption(
      new Option("--expires <time>", "RFC 3339, or from now: 7d, 4w; 30 days by default").argParser((text) =>
        timeAhead(text, Date.now()),
      ),
    )
    .option("--no-expires", "valid until it is revoked")
    .action(async (text: string, { references, fees, expires }: ShareOptions, command: Command) => {
      const session = openSession(command, context);
      const { client, output, call } = session;
      const id = await resolveId(session, "shipments", text);
      const expiresAt = expires === false ? null : expires;
      await output.record(
        await client.shareLinks.create(id, { showsReferences: references, showsFees: fees, expiresAt }, call),
      );
    });
  addForEachId(requireGroup(program, "share-links"), context, {
    name: "revoke",
    description: "Revoke share links; their pages close immediately.",
    act: (client, id, call) => client.shareLinks.revoke(id, call),
    done: "Revoked",
  });
}
