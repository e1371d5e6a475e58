import type { ClaimedMessage } from "@svc/persistence/event-messages";
import { resolvesWithin } from "@svc/service-kit";

/**
 * A message is large as soon as it requests more steps than these. Steps are reading a hundred pushed events and
 * applying events to one subject.
 */
const smallMessageSteps = 5;
const defaultYieldMaxMs = 1_000;

/**
 * Lets small messages overtake large ones: a large message takes no further step while a small one of another account
 * is in progress, for at most `yieldMaxMs` at each step, so that a steady stream of small messages does not stop
 * it. Otherwise every round trip of the small message would wait for the computations of the large one.
 */
export class MessageScheduler {
  /** Steps requested by each message in progress. */
  readonly #steps = new Map<ClaimedMessage, number>();
  /** Resolves at the next change of the messages in progress or of their sizes. */
  #changed = Promise.withResolvers<void>();
  readonly #yieldMaxMs: number;

  constructor(yieldMaxMs = defaultYieldMaxMs) {
    this.#yieldMaxMs = yieldMaxMs;
  }

  async run(message: ClaimedMessage, work: () => Promise<void>): Promise<void> {
    this.#steps.set(message, 0);
    try {
      await work();
    } finally {
      this.#steps.delete(message);
      this.#wake();
    }
  }

  /** Resolves when the message may begin its next step, or its next ones at once. */
  async next(message: ClaimedMessage, count = 1): Promise<void> {
    const before = this.#stepsOf(message);
    this.#steps.set(message, before + count);
    if (before <= smallMessageSteps && before + count > smallMessageSteps) this.#wake();
    const untilMs = performance.now() + this.#yieldMaxMs;
    for (let leftMs = this.#yieldMaxMs; this.#mustYield(message) && leftMs > 0; ) {
      await resolvesWithin(this.#changed.promise, leftMs);
      leftMs = untilMs - performance.now();
    }
  }

  #stepsOf(message: ClaimedMessage): number {
    return this.#steps.get(message) ?? 0;
  }

  #mustYield(message: ClaimedMessage): boolean {
    if (this.#stepsOf(message) <= smallMessageSteps) return false;
    return [...this.#steps.values()].some((steps) => steps <= smallMessageSteps);
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
