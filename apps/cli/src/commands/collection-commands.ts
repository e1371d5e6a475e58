import { type Command, InvalidArgumentError, Option } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { openSession, type Session } from "../session.ts";
import type { Collection, Filter } from "./collection.ts";
import { collections } from "./collections.ts";
import { resolveId } from "./resolve-id.ts";
import { viewParameters } from "./view-parameters.ts";

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A time as RFC 3339, or how long ago: `36h`, `7d`. */
export function parseTime(text: string, nowMs: number): string {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) {
    return new Date(nowMs - Number(count) * unitMs[unit as keyof typeof unitMs]).toISOString();
  }
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError("Give a time such as 2026-11-01T00:00:00Z, a day, or how long ago: 36h, 7d.");
  }
  return new Date(text).toISOString();
}

/** A time to come as RFC 3339, or how long from now: `4h`, `2d`. */
export function timeAhead(text: string, nowMs: number): string {
  const from = parseTime(text, nowMs);
  return /^\d+[mhdw]$/.test(text) ? new Date(2 * nowMs - Date.parse(from)).toISOString() : from;
}

/** Returns the option that reads records as they were known at a past time. */
export function asOfOption(): Option {
  return new Option("--as-of <time>", "what was known then: a time, or how long ago").argParser((text) =>
    parseTime(text, Date.now()),
  );
}

export function integerBetween(from: number, to: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < from || value > to) {
      throw new InvalidArgumentError(`Give a number from ${from} to ${to}.`);
    }
    return value;
  };
}

function yesOrNo(text: string): boolean {
  if (["true", "yes"].includes(text)) return true;
  if (["false", "no"].includes(text)) return false;
  throw new InvalidArgumentError("Give true or false.");
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function filterOption({ name, kind, help }: Filter): Option {
  const long = `--${kebab(name)}`;
  if (kind === "flag") return new Option(`${long} [true|false]`, help).argParser(yesOrNo).preset("true");
  if (kind === "time") return new Option(`${long} <time>`, help).argParser((text) => parseTime(text, Date.now()));
  return kind === "text"
    ? new Option(`${long} <values>`, `${help}; several with commas`)
    : new Option(`${long} <number>`, help);
}

async function listAll(session: Session, { of, columns }: Collection, parameters: object): Promise<void> {
  const { client, output, call } = session;
  const records = of(client).iterate?.(parameters, call) ?? [];
  if (output.shape === "json") {
    for await (const record of records) await output.jsonLine(record);
    return;
  }
  const page: unknown[] = [];
  for await (const record of records) page.push(record);
  await output.table(columns, page);
}

interface Page {
  readonly items: readonly unknown[];
  readonly meta: { readonly page?: { readonly total?: number; readonly total_is_exact?: boolean } };
}

async function listPage(session: Session, { of, columns, what }: Collection, parameters: object): Promise<void> {
  const { client, output, call } = session;
  const response = await of(client).list?.(parameters, call);
  if (output.shape === "json") return output.json(response);
  const { items, meta } = response as Page;
  if (items.length === 0) return output.note(`No ${what}.`);
  await output.table(columns, items);
  const total = meta.page?.total ?? items.length;
  if (total > items.length) {
    output.note(
      `${items.length} of ${meta.page?.total_is_exact === false ? "more than " : ""}${total}; --all for all, --page for others.`,
    );
  }
}

/** `svc <collection> list`. */
export function addList(group: Command, collection: Collection, context: ProcessContext): void {
  const list = group.command("list").alias("ls").description(`List ${collection.what}.`);
  for (const filter of collection.filters) list.addOption(filterOption(filter));
  if (collection.name === "shipping-lines") list.option("--search <text>", "part of a name or a SCAC");
  else {
    list
      .addOption(new Option("--all", "all of them; on a pipe one JSON object a line").conflicts(["page"]))
      .option("--page <number>", "from 1", integerBetween(1, 10_000))
      .option("--page-size <number>", "1 to 100", integerBetween(1, 100))
      .option("--sort <key>", "for example -created_at");
  }
  const { views } = collection;
  if (views !== undefined) list.option("--view <view>", "filters and order of a saved view, by id or name");
  list.action(async (options: Record<string, unknown>, command: Command) => {
    const session = openSession(command, context);
    const { all, page, pageSize, search, view } = options;
    const saved = views !== undefined && typeof view === "string" ? await viewParameters(session, view, views) : null;
    const filter: Record<string, unknown> = { ...saved?.filter };
    const sort = options.sort ?? saved?.sort;
    for (const { name, kind } of collection.filters) {
      const value = options[name];
      if (value === undefined) continue;
      const isRecord = typeof value === "string" && (kind === "shipments" || kind === "containers");
      filter[name] = isRecord ? await resolveId(session, kind, value) : value;
    }
    const parameters = { filter, page, pageSize, sort, ...(search !== undefined && { search }) };
    // Filters beside a view narrow it, or replace its filter of the same name.
    await (all === true ? listAll : listPage)(session, collection, parameters);
  });
}

/** `svc <collection> list` and `svc <collection> get`. */
export function addCollectionCommands(program: Command, context: ProcessContext): void {
  for (const collection of collections) {
    const group = program.command(collection.name).description(`Work with ${collection.what}.`);
    if (collection.columns.length > 0) addList(group, collection, context);
    const get = group
      .command("get")
      .description(`Show one by its ${collection.key}.`)
      .argument("<id>", collection.key)
      .action(async (text: string, { asOf }: { asOf?: string }, command: Command) => {
        const session = openSession(command, context);
        const id = await resolveId(session, collection.name, text);
        const then = asOf === undefined ? {} : { asOf };
        await session.output.record(await collection.of(session.client).get(id, { ...session.call, ...then }));
      });
    if (collection.hasPast) get.addOption(asOfOption());
  }
}

/** The group of a collection, to add more commands to. */
export function requireGroup(program: Command, name: string): Command {
  const group = program.commands.find((command) => command.name() === name);
  if (group === undefined) throw new Error(`No commands ${name}.`);
  return group;
}

/** `svc <collection> <name> <id...>`: acts on one after the other, and prints for each what was done. */
export function addForEachId(
  group: Command,
  context: ProcessContext,
  {
    name,
    description,
    act,
    done,
  }: {
    readonly name: string;
    readonly description: string;
    act(client: Session["client"], id: string, call: { readonly signal: AbortSignal }): Promise<unknown>;
    /** For example "Deleted". */
    readonly done: string;
  },
): void {
  group
    .command(name)
    .description(description)
    .argument("<id...>")
    .action(async (ids: string[], _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      for (const id of ids) {
        await act(client, id, { signal: call.signal });
        output.note(`${done} ${id}.`);
      }
    });
}
