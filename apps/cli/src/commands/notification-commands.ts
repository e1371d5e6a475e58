import { type WebhookEventName, webhookEventNames } from "@svc/domain/webhooks";
import { Argument, type Command } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { requireGroup } from "./collection-commands.ts";
import { attemptColumns } from "./record-columns.ts";

export function addNotificationCommands(program: Command, context: ProcessContext): void {
  const group = requireGroup(program, "notifications");
  group
    .command("attempts")
    .description("List the attempts of a notification, latest first.")
    .argument("<id>", "notification id")
    .action(async (id: string, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const response = await client.notifications.attempts(id, { pageSize: 100 }, call);
      if (output.shape === "json") return output.json(response);
      const { items } = response as { items: readonly unknown[] };
      await (items.length === 0 ? output.note("Not attempted yet.") : output.table(attemptColumns, items));
    });
  group
    .command("redeliver")
    .description("Redeliver notifications, each with the same id.")
    .argument("<id...>")
    .action(async (ids: string[], _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      for (const id of ids) {
        await client.notifications.redeliver(id, { signal: call.signal });
        output.note(`${id} is delivered again.`);
      }
    });
  group
    .command("examples")
    .description("Show the sample payload of an event.")
    .addArgument(new Argument("<event>").choices(webhookEventNames))
    .action(async (event: WebhookEventName, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      await output.json(await client.notifications.examples(event, { ...call, format: "raw" }));
    });
}
