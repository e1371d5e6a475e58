import type { DerivedShipment } from "@svc/domain/derivation";
import { pickupProgress, terminalPollAt } from "@svc/domain/tracking";
import { insertTerminalPolls, type TerminalPoll } from "@svc/persistence/tracking";
import type { PollTransaction } from "./poll-transaction.ts";

/**
 * Schedules polls of the terminals of a shipment's containers, and of its carrier for the arrival notice, from the
 * day before the arrival. Only the terminal's own reply ends them: when the carrier is first to report the gate-out,
 * the terminal is polled once more.
 */
export async function scheduleTerminalPolls(
  { context, sql, claim, now }: PollTransaction,
  derived: DerivedShipment,
  containerIds: ReadonlyMap<string, string>,
): Promise<void> {
  const { portOfDischarge, destination } = derived.attributes;
  const places = [portOfDischarge?.value.locode, destination?.value.locode].filter((locode) => locode != null);
  const terminals = new Map(
    places.flatMap((locode) => context.terminalsAt(locode).map((terminal) => [terminal.code, terminal])),
  );
  const notices = claim.kind === "bill_of_lading" ? context.arrivalNoticesOf(claim.scac) : null;
  if (terminals.size === 0 && notices === null) return;
  const waiting = derived.containers.flatMap((container) => {
    const containerId = containerIds.get(container.number);
    const at = terminalPollAt(pickupProgress(derived, container), now);
    return containerId === undefined || at === null ? [] : [{ containerId, at }];
  });
  const polls = waiting.flatMap((container): TerminalPoll[] =>
    [...terminals.values()].map((terminal) => ({ ...terminal, ...container })),
  );
  // A notice is about all containers of the bill of lading: it is requested with the first one that still waits.
  const [first] = waiting.toSorted((one, other) => (one.containerId < other.containerId ? -1 : 1));
  if (notices !== null && first !== undefined) polls.push({ ...notices, ...first });
  // The terminal of this poll is scheduled by its own reply.
  const others = polls.filter(({ code }) => claim.kind !== "terminal_container" || code !== claim.scac);
  await insertTerminalPolls(sql, claim.accountId, others, now);
}
