import { ArchiveDamagedError, restore, verifyArchive } from "@svc/archive";
import { type ArchiveFilter, type StoredArchive, storedArchives } from "@svc/persistence/reply-archives";
import type { Command } from "commander";
import type { AdminSession } from "../admin-session.ts";
import { requireStore } from "../archive-store.ts";
import { parseId } from "../parse-id.ts";

interface ArchiveOptions {
  readonly account?: string;
  readonly shipment?: string;
}

const toFilter = ({ account, shipment }: ArchiveOptions): ArchiveFilter => ({
  ...(account && { accountId: account }),
  ...(shipment && { shipment }),
});

const toOutput = ({ objectSha256, ...archive }: StoredArchive) => ({
  ...archive,
  objectSha256: Buffer.from(objectSha256).toString("hex"),
});

/** Commands for the objects with the replies of finished shipments (docs/archive.md). */
export function addArchiveCommands(program: Command, session: AdminSession): void {
  const { context } = session;
  const archive = program.command("archive").description("Work with the archived replies of finished shipments.");
  const add = (name: string, description: string) =>
    archive
      .command(name)
      .description(description)
      .option("--account <id>", "only this account", parseId)
      .option("--shipment <shipment>", "only this shipment (id or number)");
  /** Handles each archive; one that is damaged is reported and does not keep the others. */
  const forEach = async (
    options: ArchiveOptions,
    handle: (archive: StoredArchive) => Promise<boolean>,
  ): Promise<{ readonly handled: number; readonly damaged: number }> => {
    const total = { handled: 0, damaged: 0 };
    for await (const each of storedArchives(session.database().sql, toFilter(options))) {
      try {
        if (await handle(each)) total.handled += 1;
      } catch (error) {
        if (!(error instanceof ArchiveDamagedError)) throw error;
        total.damaged += 1;
        context.write(`${JSON.stringify({ ...toOutput(each), problem: error.message })}\n`);
      }
    }
    if (total.damaged > 0) session.end(1);
    return total;
  };
  add("list", "List the objects, as one JSON object a line.").action(async (options: ArchiveOptions) => {
    await forEach(options, async (each) => {
      context.write(`${JSON.stringify(toOutput(each))}\n`);
      return true;
    });
  });
  add(
    "verify",
    "Read every object back and compare it with its checksum and the stored replies; changes nothing.",
  ).action(async (options: ArchiveOptions) => {
    const store = requireStore(context);
    const { handled, damaged } = await forEach(options, async (each) => {
      await verifyArchive(session.database(), store, each);
      return true;
    });
    context.writeError(`${handled} objects are as they were written, ${damaged} are missing or damaged.\n`);
  });
  add("restore", "Return the replies to the database; a tracking worker deletes the objects afterwards.").action(
    async (options: ArchiveOptions) => {
      const store = requireStore(context);
      const { handled, damaged } = await forEach(options, (each) => restore(session.database(), store, each));
      context.writeError(`${handled} objects are restored, ${damaged} are missing or damaged.\n`);
    },
  );
}
