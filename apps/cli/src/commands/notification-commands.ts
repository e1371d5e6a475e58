import { type WebhookEventName, webhookEventNames } from "@svc/domain/webhooks";
import { Argument, type Command } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { addForEachId, requireGroup } from "./collection-commands.ts";
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
      await output.page(attemptColumns, response, "Not attempted yet.");
    });
  addForEachId(group, context, {
    name: "redeliver",
    description: "Redeliver notifications, each with the same id.",
    act: (client, id, call) => client.notifications.redeliver(id, call),
    done: "Redelivered",
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
