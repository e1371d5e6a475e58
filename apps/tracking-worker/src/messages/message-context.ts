import type { OfferedCarrier } from "@svc/carriers";
import type { Logger } from "@svc/service-kit";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import type { Semaphore } from "../poll/semaphore.ts";

/** The dependencies of processing a message. */
export interface MessageContext {
  readonly context: TrackingContext;
  readonly offered: ReadonlyMap<string, OfferedCarrier>;
  /** Id of the process, which holds the lease of a subject while events are applied to it. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Shared by all messages in progress and served in order of arrival, so a large message delays the others little. */
  readonly transactions: Semaphore;
  readonly logger: Logger;
}
