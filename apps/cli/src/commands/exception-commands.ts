import { isUuid } from "@svc/domain/identifiers";
import type { ExceptionEdit } from "@svc/sdk";
import { type Command, Option } from "commander";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import { plainText } from "../output/plain-text.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession, type Session } from "../session.ts";
import { requireGroup, timeAhead } from "./collection-commands.ts";
import { resolveId } from "./resolve-id.ts";

type Status = "open" | "snoozed" | "resolved";

/** The id of the only exception of a container or shipment that has one of these states and has not ended. */
async function exceptionId(session: Session, text: string, status: readonly Status[]): Promise<string> {
  if (isUuid(text)) return text;
  const isContainer = /^[A-Z]{4}\d{7}$/i.test(text.replace(/\s/g, ""));
  const record = await resolveId(session, isContainer ? "containers" : "shipments", text);
  const filter = { status, ended: false, ...(isContainer ? { container: record } : { shipment: record }) };
  const options = { format: "mapped", signal: session.call.signal } as const;
  const { items } = await session.client.exceptions.list({ filter, pageSize: 100 }, options);
  const [only, ...others] = items;
  if (only && others.length === 0) return only.id;
  const states = status.join(" or ");
  if (!only) throw new CliError(exitCodes.notFound, `${plainText(text)} has no exception that is ${states}.`);
  const choices = items.map(({ id, number, summary }) => `\n  ${id}  ${plainText(`${number}  ${summary}`)}`).join("");
  throw new CliError(exitCodes.usage, `${plainText(text)} has ${items.length} exceptions; give an id:${choices}`);
}

interface Update {
  readonly edit: ExceptionEdit;
  /** Statuses of the exceptions that a number stands for. */
  readonly of?: readonly Status[];
}

/** Applies the edit to several exceptions, and shows them one after the other. */
async function update(
  targets: readonly string[],
  { edit, of }: Update,
  command: Command,
  context: ProcessContext,
): Promise<void> {
  const session = openSession(command, context);
  const ids: string[] = [];
  for (const text of targets) ids.push(await exceptionId(session, text, of ?? ["open", "snoozed"]));
  const { client, output, call } = session;
  for (const id of ids) await output.record(await client.exceptions.update(id, edit, call));
}

const noteOption = () => new Option("--note <text>", "replaces the note");

interface Noted {
  readonly note?: string;
}

export function addExceptionCommands(program: Command, context: ProcessContext): void {
  const group = requireGroup(program, "exceptions");
  group
    .command("assign")
    .description("Assign exceptions to a member; --no-owner removes the owner.")
    .argument("<exception...>", "id, or number of a container or shipment with one exception")
    .option("--owner <email>", "a member of the account")
    .option("--no-owner", "remove the owner")
    .addOption(noteOption())
    .action(async (ids: string[], { owner, note }: Noted & { owner?: string | false }, command: Command) => {
      if (owner === undefined) command.error("error: say who: --owner <email> or --no-owner");
      await update(ids, { edit: { owner: owner || null, note } }, command, context);
    });
  group
    .command("snooze")
    .description("Hide exceptions from the queue until a time, or with --end show them again.")
    .argument("<exception...>", "id, or number of a container or shipment with one exception")
    .addOption(
      new Option("--until <time>", "RFC 3339, or from now: 4h, 2d")
        .argParser((text) => timeAhead(text, Date.now()))
        .conflicts("end"),
    )
    .option("--end", "end the snooze")
    .addOption(noteOption())
    .action(async (ids: string[], options: Noted & { until?: string; end?: true }, command: Command) => {
      const { until: snoozedUntil = null, end, note } = options;
      if (snoozedUntil === null && !end) command.error("error: say how long: --until <time> or --end");
      await update(ids, { edit: { snoozedUntil, note } }, command, context);
    });
  for (const [name, status, of, description] of [
    ["resolve", "resolved", ["open", "snoozed"], "Resolve exceptions; each stays resolved while its condition lasts."],
    ["reopen", "open", ["resolved", "snoozed"], "Reopen exceptions whose condition lasts; ends their snooze too."],
  ] as const) {
    group
      .command(name)
      .description(description)
      .argument("<exception...>", "id, or number of a container or shipment with one exception")
      .addOption(noteOption())
      .action((ids: string[], { note }: Noted, command: Command) =>
        update(ids, { edit: { status, note }, of }, command, context),
      );
  }
}
