import { CarrierConnectionList, createStoredReplyReader } from "@svc/carriers";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { verify } from "@svc/replay";
import type { Command } from "commander";
import { AdminError } from "../admin-error.ts";
import type { AdminSession } from "../admin-session.ts";
import { archivedBodyReader } from "../archive-store.ts";
import { parseId } from "../parse-id.ts";

interface ReplayOptions {
  readonly account?: string;
  readonly subject?: string;
}

/** How the stored replies of each line are read; lines without a connection are counted, not guessed. */
function parseConnections(carriers: string | undefined) {
  const read = CarrierConnectionList.safeParse(carriers ?? "[]");
  if (!read.success)
    throw new AdminError(2, `SVC_CARRIERS: ${read.error.issues.map(({ message }) => message).join("; ")}`);
  return read.data;
}

export function addReplayCommand(program: Command, session: AdminSession): void {
  program
    .command("replay")
    .description(
      "Recompute the state of shipments from the stored replies and report each difference; changes nothing.",
    )
    .requiredOption("--verify", "compare with what is stored: all that it does so far")
    .option("--account <id>", "only this account", parseId)
    .option("--subject <shipment>", "only this shipment (id or number)")
    .action(async ({ account, subject }: ReplayOptions) => {
      const { context } = session;
      const connections = parseConnections(context.carriers);
      const readArchived = archivedBodyReader(context);
      const database = session.database();
      const places = await loadPlaceDirectory(database.sql);
      const read = createStoredReplyReader(connections, places);
      const filter = { ...(account && { accountId: account }), ...(subject && { subject }) };
      const total = await verify(database, filter, { read, readArchived, places }, (difference) => {
        context.write(`${JSON.stringify(difference)}\n`);
      });
      context.writeError(
        `${total.shipments} shipments from ${total.observations} observations: ${total.differences} differences` +
          `${total.notReadAgain > 0 ? `; the replies of ${total.notReadAgain} numbers could not be read again` : ""}.\n`,
      );
      session.end(total.differences === 0 ? 0 : 1);
    });
}
