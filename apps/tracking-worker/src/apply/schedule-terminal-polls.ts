import type { DerivedShipment } from "@svc/domain/derivation";
import { pickupProgress, terminalPollAt } from "@svc/domain/tracking";
import { scheduleTerminalQuestions, type TerminalQuestion } from "@svc/persistence/tracking";
import type { PollTransaction } from "./poll-transaction.ts";

/**
 * Schedules polls of the terminals of a shipment's containers, from the day before the arrival. Only the terminal's
 * own reply ends them: when the carrier is first to report the gate-out, the terminal is polled once more.
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
  if (terminals.size === 0) return;
  const questions = derived.containers.flatMap((container): TerminalQuestion[] => {
    const containerId = containerIds.get(container.number);
    const at = terminalPollAt(pickupProgress(derived, container), now);
    if (containerId === undefined || at === null) return [];
    return [...terminals.values()].map((terminal) => ({ ...terminal, containerId, at }));
  });
  // The terminal of this poll is scheduled by its own reply.
  const others = questions.filter(({ code }) => claim.kind !== "terminal_container" || code !== claim.scac);
  await scheduleTerminalQuestions(sql, claim.accountId, others, now);
}
