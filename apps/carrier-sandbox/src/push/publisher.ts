import { createHmac } from "node:crypto";
import { type Logger, repeat } from "@svc/service-kit";
import { shipmentsSearched } from "../http/events-routes.ts";
import type { SandboxCarrier, Voyage } from "../sandbox-carrier.ts";
import { type Fact, publishedFactsAt } from "../voyage/fact.ts";
import { admits, type Subscription } from "./subscription.ts";
import type { SubscriptionStore } from "./subscription-store.ts";

/** The batch size of DCSA's reference publisher. */
const batchSizeMax = 100;
const pollIntervalMs = 250;
const responseTimeoutMs = 10_000;
const initialRetryDelayMs = 1_000;
const retryDelayMaxMs = 60_000;

interface PendingEvent {
  readonly fact: Fact;
  /** When it became due for pushing; simulated epoch milliseconds. */
  readonly availableAt: number;
}

interface Backoff {
  readonly failures: number;
  /** Real milliseconds, of the monotonic clock. */
  readonly retryAt: number;
}

interface PublisherOptions {
  readonly carrier: SandboxCarrier;
  readonly subscriptions: SubscriptionStore;
  /** Simulated epoch milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
  /** Called when the progress of a subscription could not be stored. */
  readonly onFailed: (error: unknown) => void;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

/** Pushes new events to subscribers until the service stops. */
export function startPublishing(options: PublisherOptions): void {
  const publisher = new Publisher(options);
  const repetition = repeat(pollIntervalMs, async () => publisher.pushPending(), options.onFailed);
  options.stopping.addEventListener("abort", () => void repetition.stop());
}

/** Pushes the events that were published since the last push; one push at a time per subscription. */
class Publisher {
  readonly #options: PublisherOptions;
  readonly #inFlight = new Set<string>();
  readonly #backoffs = new Map<string, Backoff>();

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  pushPending(): void {
    for (const subscription of this.#options.subscriptions.all()) {
      const { subscriptionID: id } = subscription;
      if (this.#inFlight.has(id) || (this.#backoffs.get(id)?.retryAt ?? 0) > performance.now()) continue;
      this.#inFlight.add(id);
      void this.#push(subscription)
        .catch(this.#options.onFailed)
        .finally(() => this.#inFlight.delete(id));
    }
  }

  async #push(subscription: Subscription): Promise<void> {
    const { subscriptions, now: clock } = this.#options;
    const now = clock();
    const pending = this.#pendingEvents(subscription, now);
    const markPushed = (until: number): void => {
      // The subscription may have been edited or removed during the request.
      const current = subscriptions.find(subscription.subscriptionID);
      if (current !== undefined && current.pushedUntil < until) subscriptions.put({ ...current, pushedUntil: until });
    };
    for (let from = 0; from < pending.length; from += batchSizeMax) {
      const batch = pending.slice(from, from + batchSizeMax);
      if (!(await this.#post(subscription, batch))) return;
      const last = batch.at(-1)?.availableAt ?? now;
      // Events of the same millisecond in the next batch are still to be pushed.
      markPushed(pending[from + batchSizeMax]?.availableAt === last ? last - 1 : last);
    }
    if (pending.length > 0) markPushed(now);
  }

  /** Events published before a shipment was booked become due when it is booked. */
  #pendingEvents(subscription: Subscription, now: number): readonly PendingEvent[] {
    return this.#voyagesFor(subscription, now)
      .flatMap(({ shipment, facts }) =>
        publishedFactsAt(facts, now).map((fact) => ({
          fact,
          availableAt: Math.max(fact.publishedAt, shipment.bookedAt),
        })),
      )
      .filter(({ fact, availableAt }) => availableAt > subscription.pushedUntil && admits(subscription, fact))
      .sort((one, other) => one.availableAt - other.availableAt);
  }

  /** A documented number in a subscription books the shipment, as a request for its events does. */
  #voyagesFor({ transportDocumentReference, carrierBookingReference }: Subscription, now: number): readonly Voyage[] {
    const { carrier } = this.#options;
    const byDocument = transportDocumentReference && carrier.byBillOfLading(transportDocumentReference, now);
    const byBooking = carrierBookingReference && carrier.byBooking(carrierBookingReference, now);
    const isNamed = transportDocumentReference !== undefined || carrierBookingReference !== undefined;
    return isNamed ? [byDocument || byBooking || []].flat() : carrier.latest(shipmentsSearched);
  }

  async #post(
    { subscriptionID: id, callbackUrl, secret }: Subscription,
    batch: readonly PendingEvent[],
  ): Promise<boolean> {
    const { logger, stopping } = this.#options;
    const body = Buffer.from(JSON.stringify(batch.map(({ fact }) => fact.event)));
    const signature = createHmac("sha256", Buffer.from(secret, "base64")).update(body).digest("hex");
    const status = await fetch(callbackUrl, {
      method: "POST",
      body,
      headers: {
        "Content-Type": "application/json",
        "Notification-Signature": `sha256=${signature}`,
        "Subscription-ID": id,
        "API-Version": "2.2.0",
      },
      redirect: "manual",
      signal: AbortSignal.any([stopping, AbortSignal.timeout(responseTimeoutMs)]),
    }).then(
      (response) => response.status,
      () => null,
    );
    const isAccepted = status === 204 || status === 200;
    logger.info({ subscription: id, events: batch.length, status }, isAccepted ? "push.accepted" : "push.failed");
    if (isAccepted) this.#backoffs.delete(id);
    else {
      const failures = (this.#backoffs.get(id)?.failures ?? 0) + 1;
      const waitMs = Math.min(retryDelayMaxMs, initialRetryDelayMs * 2 ** (failures - 1));
      this.#backoffs.set(id, { failures, retryAt: performance.now() + waitMs });
    }
    return isAccepted;
  }
}
