import { setTimeout as delay } from "node:timers/promises";
import { stripReply } from "@svc/carriers";
import {
  type ConnectionRow,
  createOperatorRecords,
  requestConnectionTest,
  setConnectionActive,
} from "@svc/persistence/operations";
import { readShipmentSubjects, readSubjectReplies, shipmentsToReplay } from "@svc/persistence/replay";
import type { Command } from "commander";
import { AdminError } from "../admin-error.ts";
import type { AdminSession } from "../admin-session.ts";
import { archivedBodyReader } from "../archive-store.ts";
import { integerBetween } from "../integer-between.ts";
import { parseId } from "../parse-id.ts";
import { showRows } from "../show-rows.ts";

const pollMs = 250;

/** The last reply to a poll for a shipment, for example by its number. */
async function lastReply(session: AdminSession, subject: string) {
  const { sql } = session.database();
  const readArchived = archivedBodyReader(session.context);
  let last: { readonly scac: string; readonly receivedAt: string; readonly body: Uint8Array } | null = null;
  for await (const shipment of shipmentsToReplay(sql, { subject })) {
    for (const { id, kind, scac } of await readShipmentSubjects(sql, shipment)) {
      if (kind === "terminal_container") continue;
      for await (const { channel, receivedAt, body } of readSubjectReplies(sql, id, readArchived)) {
        if (channel === "poll") last = { scac, receivedAt, body };
      }
    }
  }
  if (last === null) throw new AdminError(4, `No reply of a carrier is stored for the shipment ${subject}.`);
  return last;
}

export function addCarrierCommands(program: Command, session: AdminSession): void {
  const { context } = session;
  const carriers = program.command("carriers").description("Work with the carrier connections of accounts.");
  const find = async (id: string): Promise<ConnectionRow> => {
    const found = await createOperatorRecords(session.database()).findConnection(id);
    if (found === null)
      throw new AdminError(4, `There is no carrier connection ${id}; \`svc-admin carriers list\` shows all.`);
    return found;
  };
  const setActive = async (id: string, active: boolean): Promise<void> => {
    const { accountId } = await find(id);
    // Unchanged when it already is as requested.
    await setConnectionActive(session.database().tenantSql, accountId, id, { active, nowMs: Date.now() });
    showRows(context, [await find(id)]);
  };
  carriers
    .command("list")
    .description("List the carrier connections, without their credentials.")
    .option("--account <id>", "only this account", parseId)
    .action(async ({ account }: { account?: string }) => {
      showRows(context, await createOperatorRecords(session.database()).listConnections(account));
    });
  carriers
    .command("record")
    .description(
      "Print the last reply of a carrier about a shipment, to share as a test: without references, container numbers, names and other values of its owner.",
    )
    .argument("<shipment>", "shipment id or number")
    .action(async (subject: string) => {
      const { scac, receivedAt, body } = await lastReply(session, subject);
      const reply = stripReply(body);
      if (reply === null) throw new AdminError(1, "The stored reply is not JSON, so it cannot be recorded.");
      context.write(`${JSON.stringify({ scac, recordedAt: receivedAt, reply }, null, 2)}\n`);
      context.writeError("Read it before you share it: codes, times, places, vessels and voyages are kept.\n");
    });
  carriers
    .command("test")
    .description("Make a test call with the stored credentials, by a tracking worker, and print its outcome.")
    .argument("<connection>", "connection id", parseId)
    .option("--wait <seconds>", "maximum time to wait for the outcome", integerBetween(1, 600), 60)
    .action(async (id: string, { wait }: { wait: number }) => {
      const { accountId } = await find(id);
      await requestConnectionTest(session.database().tenantSql, accountId, id);
      const deadline = performance.now() + wait * 1_000;
      for (let tested = await find(id); ; tested = await find(id)) {
        if (!tested.isTestRunning) {
          showRows(context, [tested]);
          session.end((tested.lastTest as { code?: string } | null)?.code === "accepted" ? 0 : 1);
          return;
        }
        if (performance.now() > deadline)
          throw new AdminError(1, `No tracking worker made the test call in ${wait} s. Is one running?`);
        await delay(pollMs);
      }
    });
  carriers
    .command("pause")
    .description("Stop polling with the account's own credentials; the service's are used where there are some.")
    .argument("<connection>", "connection id", parseId)
    .action((id: string) => setActive(id, false));
  carriers
    .command("resume")
    .description("Poll with the account's own credentials again, and close their circuit breaker.")
    .argument("<connection>", "connection id", parseId)
    .action((id: string) => setActive(id, true));
}
