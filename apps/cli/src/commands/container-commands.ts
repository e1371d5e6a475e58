import { passages } from "@svc/domain/sea-routes";
import { type Command, Option } from "commander";
import type { Column } from "../output/cells.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession, type Session } from "../session.ts";
import { asOfOption, requireGroup } from "./collection-commands.ts";
import { rawEventColumns, routeColumns, transportEventColumns } from "./record-columns.ts";
import { resolveId } from "./resolve-id.ts";

async function showList(session: Session, columns: readonly Column[], response: unknown): Promise<void> {
  const { output } = session;
  if (output.shape === "json") return output.json(response);
  const { items = [], locations = [] } = response as { items?: unknown[]; locations?: unknown[] };
  const rows = [...items, ...locations];
  await (rows.length === 0 ? output.note("Nothing is known yet.") : output.table(columns, rows));
}

/** Adds the commands on containers, as `svc containers <command>`; the most used ones also as `svc <command>`. */
export function addContainerCommands(program: Command, context: ProcessContext): void {
  const group = requireGroup(program, "containers");
  const add = (
    parent: Command,
    name: string,
    description: string,
    act: (session: Session, id: string, command: Command) => Promise<void>,
  ) =>
    parent
      .command(name)
      .description(description)
      .argument("<container>", "id or number")
      .action(async (text: string, _options: object, command: Command) => {
        const session = openSession(command, context);
        await act(session, await resolveId(session, "containers", text), command);
      });

  for (const parent of [program, group]) {
    add(parent, "events", "List the transport events of a container, latest first.", async (session, id, command) => {
      const { asOf } = command.opts<{ asOf?: string }>();
      const response = await session.client.containers.transportEvents(id, { asOf, pageSize: 100 }, session.call);
      await showList(session, transportEventColumns, response);
    }).addOption(asOfOption());
    add(parent, "route", "Show the route of a container.", async (session, id) =>
      showList(session, routeColumns, await session.client.containers.route(id, session.call)),
    );
    add(parent, "map", "Get the route as GeoJSON.", async (session, id, command) => {
      const { avoid } = command.opts<{ avoid?: (typeof passages)[number][] }>();
      await session.output.json(await session.client.containers.map(id, { avoid }, { signal: session.call.signal }));
    }).addOption(new Option("--avoid <passages...>", "draw no way through them").choices(passages));
    add(parent, "refresh", "Poll the sources of the container now.", async (session, id) =>
      session.output.record(await session.client.containers.refresh(id, { signal: session.call.signal })),
    );
  }
  add(group, "demurrage", "What the demurrage rules charge for a container now, day by day.", async (session, id) =>
    session.output.record(await session.client.containers.demurrage(id, session.call)),
  );
  add(group, "emissions", "What a container emits on each leg, by the emission factors.", async (session, id) =>
    session.output.record(await session.client.containers.emissions(id, session.call)),
  );
  add(group, "raw-events", "List the raw events of the sources, latest received first.", async (session, id) => {
    const response = await session.client.containers.rawEvents(
      id,
      { pageSize: 100, sort: "-created_at" },
      session.call,
    );
    await showList(session, rawEventColumns, response);
  });
  add(
    group,
    "edit",
    "Set the reference numbers of a container; --ref alone clears them.",
    async (session, id, command) => {
      const { ref } = command.opts<{ ref: string[] | true }>();
      const edit = { refNumbers: ref === true ? [] : ref };
      await session.output.record(await session.client.containers.update(id, edit, session.call));
    },
  ).requiredOption("--ref [text...]", "all reference numbers");
}
