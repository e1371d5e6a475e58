import { isUuid } from "@svc/domain/identifiers";
import { NotFoundError } from "@svc/sdk";
import type { Command } from "commander";
import type { Column } from "../output/cells.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession, type Session } from "../session.ts";
import { asOfOption, requireGroup } from "./collection-commands.ts";
import { historyColumns, provenanceColumns } from "./record-columns.ts";
import { resolveId } from "./resolve-id.ts";

interface EditOptions {
  readonly ref?: string[] | true;
  readonly tag?: string[] | true;
  readonly note?: string | true;
}

/** `--tag` alone clears, `--tag a b` sets, nothing leaves as it is. */
const toList = (value: string[] | true | undefined) => (value === true ? [] : value);

type Derived = "shipments" | "containers";

/** Operations of a shipment or a container: the number identifies which, an id does not. */
async function showRecordDetails(
  session: Session,
  text: string,
  read: (kind: Derived, id: string) => Promise<unknown>,
  show: { readonly columns: readonly Column[]; readonly nothing: string },
): Promise<void> {
  const { output } = session;
  const readForShipment = async () => read("shipments", await resolveId(session, "shipments", text));
  const readForContainer = async () => read("containers", await resolveId(session, "containers", text));
  const isContainer = /^[A-Z]{4}\d{7}$/i.test(text);
  const response = isContainer
    ? await readForContainer()
    : await readForShipment().catch((error: unknown) => {
        if (error instanceof NotFoundError && isUuid(text)) return readForContainer();
        throw error;
      });
  await output.page(show.columns, response, show.nothing);
}

function history(session: Session, text: string, field: string | undefined): Promise<void> {
  const { client, call } = session;
  const read = (kind: Derived, id: string) => client[kind].history(id, { filter: { field }, pageSize: 100 }, call);
  return showRecordDetails(session, text, read, { columns: historyColumns, nothing: "Nothing has changed." });
}

function provenance(session: Session, text: string, asOf: string | undefined): Promise<void> {
  const { client, call } = session;
  const read = (kind: Derived, id: string) => client[kind].provenance(id, { asOf, pageSize: 100 }, call);
  return showRecordDetails(session, text, read, { columns: provenanceColumns, nothing: "Nothing is known yet." });
}

/** Adds the commands on shipments, as `svc <command>` and `svc shipments <command>`. */
export function addShipmentCommands(program: Command, context: ProcessContext): void {
  for (const group of [program, requireGroup(program, "shipments")]) {
    for (const [name, description] of [
      ["stop", "Stop tracking a shipment."],
      ["resume", "Resume tracking a shipment."],
    ] as const) {
      group
        .command(name)
        .description(description)
        .argument("<shipment>", "id or number")
        .action(async (text: string, _options: object, command: Command) => {
          const session = openSession(command, context);
          const id = await resolveId(session, "shipments", text);
          const { shipments } = session.client;
          const call = name === "stop" ? shipments.stopTracking : shipments.resumeTracking;
          await session.output.record(await call(id, session.call));
        });
    }
    group
      .command("edit")
      .description("Set tags, reference numbers and note of a shipment; --tag, --ref or --note alone clears them.")
      .argument("<shipment>", "id or number")
      .option("--tag [text...]", "all tags")
      .option("--ref [text...]", "all reference numbers")
      .option("--note [text]", "note, at most 2,000 characters")
      .action(async (text: string, options: EditOptions, command: Command) => {
        if (Object.keys(options).length === 0) command.error("error: say what: --tag, --ref or --note");
        const session = openSession(command, context);
        const id = await resolveId(session, "shipments", text);
        const note = options.note === true ? null : options.note;
        const edit = { tags: toList(options.tag), refNumbers: toList(options.ref), note };
        await session.output.record(await session.client.shipments.update(id, edit, session.call));
      });
    group
      .command("history")
      .description("Show the history of attributes of a shipment or a container, latest first.")
      .argument("<record>", "id or number")
      .option("--field <names>", "attributes, comma-separated, for example pod_eta_at")
      .action((text: string, options: { field?: string }, command: Command) =>
        history(openSession(command, context), text, options.field),
      );
    group
      .command("provenance")
      .description("Show source and derivation rule of each attribute of a shipment or a container.")
      .argument("<record>", "id or number")
      .addOption(asOfOption())
      .action((text: string, options: { asOf?: string }, command: Command) =>
        provenance(openSession(command, context), text, options.asOf),
      );
    group
      .command("freshness")
      .description("Show data freshness: last successful poll, next poll, and staleness.")
      .argument("<shipment>", "id or number")
      .action(async (text: string, _options: object, command: Command) => {
        const session = openSession(command, context);
        const id = await resolveId(session, "shipments", text);
        await session.output.record(await session.client.shipments.freshness(id, session.call));
      });
  }
}
