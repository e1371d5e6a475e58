import type { NewSavedView, SavedViewEdit } from "@svc/sdk";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import { plainText } from "../output/plain-text.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { requireGroup } from "./collection-commands.ts";
import { findView } from "./view-parameters.ts";

const lists = ["shipments", "containers", "exceptions"] as const;

function addFilter(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Give a filter as name=value, for example status=in_transit.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

interface Settings {
  readonly filter?: Readonly<Record<string, string>>;
  readonly filters?: false;
  readonly sort?: string;
  readonly columns?: readonly string[];
  readonly shared?: boolean;
  readonly default?: boolean;
}

const toEdit = ({ filter, filters, default: isDefault, ...others }: Settings): SavedViewEdit => ({
  ...others,
  ...(filter && { filters: filter }),
  ...(filters === false && { filters: {} }),
  ...(isDefault !== undefined && { isDefault }),
});

const withSettings = (command: Command): Command =>
  command
    .addOption(new Option("--filter <name=value...>", "for example status=in_transit").argParser(addFilter))
    .option("--sort <key>", "for example -arrival")
    .option("--columns <column...>", "columns of the page")
    .option("--shared", "every member of the account sees it")
    .option("--default", "the list opens with it for you");

export function addSavedViewCommands(program: Command, context: ProcessContext): void {
  const group = requireGroup(program, "views");
  withSettings(group.command("create"))
    .description("Save filters, order and columns of a list under a name.")
    .argument("<list>", lists.join(", "))
    .argument("<name>")
    .action(async (list: string, name: string, options: Settings, command: Command) => {
      const known = lists.find((one) => one === list);
      if (!known) throw new CliError(exitCodes.usage, `Views are of ${lists.join(", ")}.`);
      const { client, output, call } = openSession(command, context);
      const view: NewSavedView = { ...toEdit(options), list: known, name };
      await output.record(await client.savedViews.create(view, call));
    });
  withSettings(group.command("update"))
    .description("Change a view; --filter replaces all of its filters.")
    .argument("<view>", "id or name")
    .option("--name <name>", "new name")
    .option("--no-filters", "remove all filters")
    .option("--no-shared", "only you see it")
    .option("--no-default", "the list no longer opens with it for you")
    .action(async (text: string, options: Settings & { readonly name?: string }, command: Command) => {
      const session = openSession(command, context);
      const { id } = await findView(session, text);
      await session.output.record(await session.client.savedViews.update(id, toEdit(options), session.call));
    });
  group
    .command("delete")
    .description("Delete saved views.")
    .argument("<view...>", "id or name")
    .action(async (texts: string[], _options: object, command: Command) => {
      const session = openSession(command, context);
      for (const text of texts) {
        const { id, name } = await findView(session, text);
        await session.client.savedViews.delete(id, { signal: session.call.signal });
        session.output.note(`Deleted ${plainText(name)}.`);
      }
    });
}
