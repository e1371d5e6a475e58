import { type LiveRequest, type RequestChange, writeRequests } from "@svc/persistence/tracking";
import type { PollEffects, PollTransaction } from "./poll-transaction.ts";
import { decideRequest, type RequestOutcome } from "./request-lifecycle.ts";

/** Applies the outcome of a poll to the requests that wait for a shipment. */
export async function advanceRequests(poll: PollTransaction, outcome: RequestOutcome): Promise<PollEffects> {
  const { context, sql, claim, waiting, now } = poll;
  const decisions = waiting.map((request) => ({
    request,
    ...decideRequest(request, outcome, now, context.requestRules),
  }));
  const changes = decisions.flatMap(({ change }) => change ?? []);
  const written = new Map((await writeRequests(sql, claim.accountId, changes, now)).map((row) => [row.id, row]));
  const intervals = decisions.flatMap(({ nextPollInMs }) => nextPollInMs ?? []);
  return {
    nextPollInMs: intervals.length === 0 ? null : Math.min(...intervals),
    requestUpdates: decisions.flatMap(({ event, request }) =>
      event === null ? [] : [{ event, request: written.get(request.id) ?? request }],
    ),
  };
}

/** Consecutive polls in which the number was unknown, this one included. A new request restarts the count. */
export function notFoundCount({ subject, waiting }: PollTransaction): number {
  const isFirst = waiting.length > 0 && waiting.every(({ awaitingManifestSince }) => awaitingManifestSince === null);
  return isFirst ? 1 : subject.notFoundPolls + 1;
}

/** Stops the requests of a shipment whose tracking ends. */
export async function stopRequests(poll: PollTransaction): Promise<PollEffects["requestUpdates"]> {
  const { sql, claim, created, now } = poll;
  const changes = created.map(
    ({ id, failedReason, isRetrying, retryCount, awaitingManifestSince, shipmentId }): RequestChange => ({
      id,
      status: "tracking_stopped",
      failedReason,
      isRetrying,
      retryCount,
      awaitingManifestSince,
      shipmentId,
    }),
  );
  const stopped: LiveRequest[] = await writeRequests(sql, claim.accountId, changes, now);
  return stopped.map((request) => ({ event: "tracking_request.tracking_stopped", request }));
}
