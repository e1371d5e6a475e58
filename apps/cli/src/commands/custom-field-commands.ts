import { customFieldEntityTypes } from "@svc/domain/custom-fields";
import type { CustomFieldOwner, CustomFieldValue, NewCustomFieldDefinition } from "@svc/sdk";
import { Argument, type Command, Option } from "commander";
import type { Column } from "../output/cells.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession, type Session } from "../session.ts";
import { resolveId } from "./resolve-id.ts";

const owners = ["shipments", "containers", "tracking-requests"] as const;
type Owner = (typeof owners)[number];

const toOwner = (owner: Owner): CustomFieldOwner => (owner === "tracking-requests" ? "tracking_requests" : owner);

/** Reads JSON of a number, a boolean, a string or a list of strings; everything else is text. */
function readValue(text: string): CustomFieldValue {
  try {
    const value: unknown = JSON.parse(text);
    const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
    return isList || ["number", "boolean", "string"].includes(typeof value) ? (value as CustomFieldValue) : text;
  } catch {
    return text;
  }
}

const definitionColumns: readonly Column[] = [
  { title: "ENTITY", path: "entityType" },
  { title: "SLUG", path: "apiSlug" },
  { title: "TYPE", path: "dataType" },
  { title: "NAME", path: "displayName" },
  { title: "ID", path: "id" },
];
const fieldColumns: readonly Column[] = [
  { title: "SLUG", path: "apiSlug" },
  { title: "VALUE", path: "value" },
  { title: "CHANGED (UTC)", path: "updatedAt" },
  { title: "ID", path: "id" },
];

/** `svc custom-fields …`: what an account adds to its records. */
export function addCustomFieldCommands(program: Command, context: ProcessContext): void {
  const group = program.command("custom-fields").description("Manage custom fields.");
  group
    .command("definitions")
    .description("List the definitions.")
    .action(async (_options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const response = await client.customFields.listDefinitions({ pageSize: 100 }, call);
      await output.page(definitionColumns, response, "None.");
    });
  group
    .command("define")
    .description("Add a field.")
    .addArgument(new Argument("<entity>").choices(customFieldEntityTypes))
    .argument("<slug>", "name of the field in the API")
    .addOption(
      new Option("--type <type>")
        .choices(["short_text", "number", "date", "datetime", "boolean", "enum", "enum_multi"])
        .default("short_text"),
    )
    .option("--name <name>", "display name; default: the slug")
    .action(
      async (
        entityType: NewCustomFieldDefinition["entityType"],
        apiSlug: string,
        options: { type: NewCustomFieldDefinition["dataType"]; name?: string },
        command: Command,
      ) => {
        const { client, output, call } = openSession(command, context);
        const definition = { entityType, apiSlug, dataType: options.type, displayName: options.name ?? apiSlug };
        await output.record(await client.customFields.define(definition, call));
      },
    );
  const addRecordCommand = (
    name: string,
    description: string,
    act: (session: Session, owner: CustomFieldOwner, id: string, args: readonly string[]) => Promise<void>,
  ) =>
    group
      .command(name)
      .description(description)
      .addArgument(new Argument("<kind>").choices(owners))
      .argument("<record>", "id, or number of a shipment or container")
      .action(async (kind: Owner, record: string, ...rest: unknown[]) => {
        const command = rest.at(-1) as Command;
        const session = openSession(command, context);
        const args = command.args.slice(2);
        await act(session, toOwner(kind), await resolveId(session, kind, record), args);
      });
  addRecordCommand("list", "The fields of a record.", async ({ client, output, call }, owner, id) => {
    await output.page(fieldColumns, await client.customFields.listOf(owner, id, { pageSize: 100 }, call), "None.");
  });
  addRecordCommand(
    "set",
    "Give a record a value.",
    async ({ client, output, call }, owner, id, [apiSlug = "", value = ""]) => {
      await output.record(await client.customFields.set(owner, id, { apiSlug, value: readValue(value) }, call));
    },
  )
    .argument("<slug>")
    .argument("<value>");
  addRecordCommand(
    "remove",
    "Take the field from a record.",
    async ({ client, output, call }, owner, id, [apiSlug = ""]) => {
      await client.customFields.remove(owner, id, apiSlug, { signal: call.signal });
      output.note(`Removed ${apiSlug}.`);
    },
  ).argument("<slug>");
}
