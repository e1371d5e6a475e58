import type { EdiFileResource, ListedEdiFileResource, MappedRecord } from "@svc/sdk";
import { type Command, Option } from "commander";
import { exitCodes } from "../errors/cli-error.ts";
import { columnsFor } from "../output/cells.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession, type Session } from "../session.ts";
import type { Collection } from "./collection.ts";
import { addList, integerBetween } from "./collection-commands.ts";
import { delay } from "./delay.ts";
import { readBytes } from "./read-file.ts";

const files: Collection = {
  name: "edi",
  what: "EDI files",
  key: "id",
  filters: [
    { name: "status", kind: "text", help: "received, applied or rejected" },
    { name: "source", kind: "text", help: "api, folder, sftp or mail" },
    { name: "partner", kind: "text", help: "profile of the partner" },
    { name: "sender", kind: "text", help: "sender of the first interchange" },
    { name: "hasFaults", kind: "flag", help: "something could not be read" },
  ],
  columns: columnsFor<MappedRecord<ListedEdiFileResource>>(
    ["RECEIVED (UTC)", "createdAt"],
    ["STATUS", "status"],
    ["NAME", "name"],
    ["SENDER", "sender"],
    ["EVENTS", "eventsCount"],
    ["APPLIED", "appliedCount"],
    ["FAULTS", "faultsCount"],
    ["ID", "id"],
  ),
  of: (client) => client.ediFiles,
};

type EdiFile = MappedRecord<EdiFileResource>;

const faultColumns = columnsFor<EdiFile["faults"][number]>(
  ["LINE", "line"],
  ["SEGMENT", "segment"],
  ["TAG", "tag"],
  ["ELEMENT", "element"],
  ["MESSAGE", "message"],
  ["FAULT", "detail"],
);
const codeColumns = columnsFor<EdiFile["unmappedCodes"][number]>(
  ["MESSAGE", "messageType"],
  ["CODE WITHOUT A MEANING", "code"],
  ["NUMBER", "count"],
  ["FIRST LINE", "line"],
);

/** Polls until the file was read or the time is over. */
async function follow({ client, call }: Session, id: string, limitSeconds: number): Promise<void> {
  const until = Date.now() + limitSeconds * 1000;
  const mapped = { signal: call.signal, format: "mapped" } as const;
  for (let waitMs = 250; Date.now() < until; waitMs = Math.min(waitMs * 1.5, 5_000)) {
    if ((await client.ediFiles.get(id, mapped)).status !== "received") return;
    await delay(Math.min(waitMs, until - Date.now()), call.signal);
  }
}

/** The outcome: on a terminal its counts, and tables of what was not read. */
async function show(session: Session, id: string, end: (exitCode: number) => void): Promise<void> {
  const { client, output, call, context } = session;
  const { raw, mapped } = await client.ediFiles.get(id, { signal: call.signal, format: "both" });
  if (output.shape === "json") await output.json(output.format === "raw" ? raw : mapped);
  else {
    const { faults, unmappedCodes, notes: _notes, acknowledgement: _acknowledgement, ...counts } = mapped;
    await output.fields(counts);
    for (const [columns, rows] of [
      [faultColumns, faults],
      [codeColumns, unmappedCodes],
    ] as const) {
      if (rows.length === 0) continue;
      await context.write("\n");
      await output.table(columns, rows);
    }
  }
  if (mapped.status === "rejected") {
    output.note("svc: nothing of the file was applied.");
    end(exitCodes.rejected);
  } else if (mapped.status === "received") output.note("It is not read yet; `svc edi get --wait` goes on waiting.");
}

const timeLimit = (): Option =>
  new Option("--time-limit <seconds>", "how long to wait").argParser(integerBetween(1, 86_400)).default(60);

interface SendOptions {
  readonly partner?: string;
  readonly scac?: string;
  readonly name?: string;
  readonly wait: boolean;
  readonly timeLimit: number;
}

/** `svc edi`: files of partners in X12 and EDIFACT (docs/edi.md). */
export function addEdiCommands(program: Command, context: ProcessContext, end: (exitCode: number) => void): void {
  const group = program.command("edi").description("Send EDI files of partners and show their outcome.");
  group
    .command("send")
    .description("Send an EDI file, wait until it is processed, and show the outcome.")
    .argument("<file>", 'file name; "-" reads from the pipe')
    .option("--partner <profile>", "partner whose codes the file has; default: standard")
    .option("--scac <code>", "carrier of messages that name none")
    .option("--name <text>", "file name; default: name of the local file")
    .option("--no-wait", "do not wait until the file is processed")
    .addOption(timeLimit())
    .action(async (file: string, options: SendOptions, command: Command) => {
      const session = openSession(command, context);
      const { partner, scac, wait } = options;
      const name = options.name ?? (file === "-" ? undefined : file.replace(/^.*[\\/]/, ""));
      const about = { partner, scac, name };
      const sent = await session.client.ediFiles.send(await readBytes(file, context), about, {
        signal: session.call.signal,
        format: "mapped",
      });
      if (wait) await follow(session, sent.id, options.timeLimit);
      await show(session, sent.id, end);
    });
  addList(group, files, context);
  group
    .command("get")
    .description("Show the outcome of a file.")
    .argument("<id>")
    .option("--wait", "wait until the file is processed")
    .addOption(timeLimit())
    .action(async (id: string, options: { wait?: true; timeLimit: number }, command: Command) => {
      const session = openSession(command, context);
      if (options.wait) await follow(session, id, options.timeLimit);
      await show(session, id, end);
    });
}
