import type { Command } from "commander";
import { openSession } from "../session.ts";
import type { World } from "../world.ts";
import { groupOf } from "./collection-commands.ts";

export function addTrackingRequestCommands(program: Command, world: World): void {
  groupOf(program, "tracking-requests")
    .command("edit")
    .description("Set the reference numbers; none at all clears them.")
    .argument("<id>")
    .requiredOption("--ref [text...]", "reference numbers")
    .action(async (id: string, { ref }: { ref: string[] | true }, command: Command) => {
      const { client, output, call } = openSession(command, world);
      const refNumbers = ref === true ? [] : ref;
      await output.record(await client.trackingRequests.update(id, { refNumbers }, call));
    });
}
