import type { Instant } from "@svc/domain";
import { nextPollInterval, shipmentStopReason } from "@svc/domain/tracking";
import { Batcher } from "@svc/persistence";
import {
  lockTrackedSubjects,
  type SubjectClaim,
  settleUnchanged,
  type TrackedSubject,
  type UnchangedSubject,
} from "@svc/persistence/tracking";
import type { Logger } from "@svc/service-kit";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import { withJitter } from "../apply/settle-poll.ts";
import type { Semaphore } from "./semaphore.ts";

const batchSizeMax = 256;

/**
 * Settles polls whose reply has the bytes of the previous one, many in one transaction: most polls of most shipments.
 * Polls that require more are left to `applyReply`.
 */
export class UnchangedPolls {
  readonly #context: TrackingContext;
  readonly #logger: Logger;
  readonly #settling: Batcher<SubjectClaim, Instant | null>;

  /** @param transactions limits concurrent transactions, those of this class included. */
  constructor(context: TrackingContext, transactions: Semaphore, logger: Logger) {
    this.#context = context;
    this.#logger = logger;
    this.#settling = new Batcher(batchSizeMax, (claims) => transactions.run(() => this.#settleAll(claims)));
  }

  /**
   * @returns the time of the next poll. Null: nothing was written, because the lease is lost or the reply must be
   * applied. Never rejects.
   */
  async settle(claim: SubjectClaim): Promise<Instant | null> {
    if (claim.kind === "terminal_container") return null;
    try {
      return await this.#settling.add(claim);
    } catch (error) {
      // The batch was rolled back: each poll is settled by itself.
      this.#logger.warn({ err: error }, "polls.batch_not_settled");
      return null;
    }
  }

  async #settleAll(claims: readonly SubjectClaim[]): Promise<readonly (Instant | null)[]> {
    const hashes = new Map(claims.map((claim) => [keyOf(claim), claim.contentHash]));
    const settled = await this.#context.database.transaction(async (sql) => {
      const subjects = await lockTrackedSubjects(sql, claims);
      const now = this.#context.clock.now();
      const unchanged = subjects.flatMap((subject) =>
        isLastReply(subject, hashes.get(keyOf(subject))) ? (this.#continue(subject, now) ?? []) : [],
      );
      await settleUnchanged(sql, now, unchanged);
      return unchanged;
    });
    const nextPolls = new Map(settled.map((subject) => [keyOf(subject), subject.nextPollAt]));
    return claims.map((claim) => nextPolls.get(keyOf(claim)) ?? null);
  }

  /** Null: an unchanged reply must be applied, because a recheck is due or a stop rule applies. */
  #continue(subject: TrackedSubject, now: Instant): (UnchangedSubject & Pick<TrackedSubject, "fencing">) | null {
    const { id, fencing, progress, recheckAt, lastChangedAt, createdAt, resumedAt } = subject;
    if (progress === null || (recheckAt !== null && recheckAt <= now)) return null;
    const known = { notFoundSince: null, notFoundPolls: 0 };
    const polled = { progress, cancelledByUser: false, lastChangedAt: lastChangedAt ?? createdAt, resumedAt, ...known };
    if (shipmentStopReason(polled, now, this.#context.stopThresholds) !== null) return null;
    const unchangedPolls = subject.unchangedPolls + 1;
    const interval = nextPollInterval(progress, now, unchangedPolls);
    return { id, fencing, unchangedPolls, nextPollAt: withJitter(this.#context, now, interval) };
  }
}

/** A subject can be claimed again while its first reply is in progress: only one of the two claims is valid. */
const keyOf = ({ id, fencing }: Pick<SubjectClaim, "id" | "fencing">): string => `${id} ${fencing}`;

/** Whether the known bytes are those of the last usable reply, and that reply had events. */
function isLastReply(subject: TrackedSubject, hash: Uint8Array | null | undefined): boolean {
  const { contentHash, lastFoundAt, lastSucceededAt, notFoundSince } = subject;
  if (contentHash === null || hash == null || Buffer.compare(contentHash, hash) !== 0) return false;
  return lastFoundAt !== null && lastFoundAt === lastSucceededAt && notFoundSince === null;
}
