import {
  activeAccounts,
  claimEdiSource,
  type EdiSourceClaim,
  type EdiSourceError,
  type EdiSourceKind,
  saveEdiSource,
  settleEdiSource,
} from "@svc/persistence/edi-files";
import { ConfigError, type Logger, repeat, type WatchedLoop } from "@svc/service-kit";
import type { IntakeContext } from "../edi-folder/received-file.ts";
import { leaseLost, SourceFailure } from "./source-failure.ts";

/** How late a source that is due is claimed. */
export const sourcesEveryMs = 5_000;
/** Lease of a source, longer than a step of a poll, which extends it after each file. */
const leaseMs = 120_000;
/** Maximum time of a poll. The remaining files wait for the next one, so that a backlog does not block the loop. */
const pollForMs = 60_000;
const retryMinMs = 60_000;

/** Dependencies and state of a poll. */
export interface SourcePoll {
  readonly context: IntakeContext;
  readonly logger: Logger;
  /** State that earlier polls saved. */
  readonly state: EdiSourceClaim["state"];
  /** Whether the time of the poll is over. Call it before each file, because it also reports progress. */
  isOver(): boolean;
  /** Saves the progress. Throws SourceFailure when another worker has claimed the source. */
  save(state: EdiSourceClaim["state"], received: number): Promise<void>;
}

export interface PolledSource {
  /** Null: as it was saved. */
  readonly state: EdiSourceClaim["state"] | null;
  readonly error: EdiSourceError | null;
}

/** A place of a partner or the operator that is polled for files of one account. */
export interface EdiSource {
  readonly name: string;
  readonly kind: EdiSourceKind;
  readonly host: string;
  readonly accountId: string;
  readonly pollSeconds: number;
  /** Throws SourceFailure. */
  poll(poll: SourcePoll): Promise<PolledSource>;
}

export interface EdiSourcesOptions {
  readonly context: IntakeContext;
  readonly sources: readonly EdiSource[];
  readonly logger: Logger;
  readonly watched?: WatchedLoop;
  /** Default 5 s. */
  readonly everyMs?: number;
}

/**
 * Polls SFTP servers and mailboxes for EDI files. Of several workers one polls a source at a time. Failures are
 * recorded with the source.
 */
export function startEdiSources(options: EdiSourcesOptions): { stop(): Promise<void> } {
  const { context, sources, logger, watched, everyMs = sourcesEveryMs } = options;
  if (new Set(sources.map(({ name }) => name)).size < sources.length)
    throw new ConfigError("tracking-worker", ["SVC_EDI_SFTP and SVC_EDI_MAILBOXES: names must be unique among both"]);
  const pollDue = async (): Promise<void> => {
    for (const source of sources) {
      const claim = await claimEdiSource(context.database.sql, source, leaseMs);
      if (claim !== null) await pollClaimed(options, source, claim);
      watched?.step();
    }
  };
  return repeat(everyMs, pollDue, (error) => logger.warn({ err: error }, "edi_sources.not_polled"), watched);
}

async function pollClaimed(
  { context, logger, watched }: EdiSourcesOptions,
  source: EdiSource,
  claim: EdiSourceClaim,
): Promise<void> {
  const about = { source: source.name, account_id: source.accountId };
  const { sql } = context.database;
  const until = performance.now() + pollForMs;
  const poll: SourcePoll = {
    context,
    logger: logger.child(about),
    state: claim.state,
    isOver() {
      watched?.step();
      return performance.now() > until;
    },
    async save(state, received) {
      if (!(await saveEdiSource(sql, claim, { state, received, leaseMs }))) throw leaseLost();
    },
  };
  const { state, error } = await pollActive(source, poll).catch((failure: unknown): PolledSource => {
    if (failure instanceof SourceFailure) return { state: null, error: failure.shown };
    logger.error({ ...about, err: failure }, "edi_source.failed");
    const detail = "The poll failed. The log of the tracking worker has the error.";
    return { state: null, error: { code: "internal_error", detail } };
  });
  if (error !== null) logger.warn({ ...about, ...error }, "edi_source.poll_failed");
  const pollMs = source.pollSeconds * 1_000;
  const nextPollInMs = error === null ? pollMs : Math.max(pollMs, retryMinMs);
  await settleEdiSource(sql, claim, { nextPollInMs, error, state });
}

async function pollActive(source: EdiSource, poll: SourcePoll): Promise<PolledSource> {
  const { accountId } = source;
  const active = await activeAccounts(poll.context.database.sql, [accountId]);
  if (active.length > 0) return source.poll(poll);
  throw new SourceFailure("account_inactive", `The account ${accountId} does not exist, or is suspended or closed.`);
}
