import type { Command } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { requireGroup } from "./collection-commands.ts";

export function addTrackingRequestCommands(program: Command, context: ProcessContext): void {
  requireGroup(program, "tracking-requests")
    .command("edit")
    .description("Set the reference numbers; none at all clears them.")
    .argument("<id>")
    .requiredOption("--ref [text...]", "reference numbers")
    .action(async (id: string, { ref }: { ref: string[] | true }, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const refNumbers = ref === true ? [] : ref;
      await output.record(await client.trackingRequests.update(id, { refNumbers }, call));
    });
}
