import { listEdiSources } from "@svc/persistence/edi-files";
import type { Command } from "commander";
import type { AdminSession } from "../admin-session.ts";
import { showRows } from "../show-rows.ts";

export function addEdiCommands(program: Command, session: AdminSession): void {
  program
    .command("edi")
    .description("List the SFTP servers and mailboxes through which partners send EDI files.")
    .command("sources")
    .description("List the sources that the tracking workers poll, with the last outcome of each.")
    .action(async () => showRows(session.context, await listEdiSources(session.database().sql)));
}
