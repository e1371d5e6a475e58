import { createHmac } from "node:crypto";
import type { Logger } from "@svc/service-kit";
import { shipmentsSearched } from "../http/events-routes.ts";
import type { SandboxLine, Voyage } from "../sandbox-line.ts";
import { type Fact, toldAt } from "../voyage/fact.ts";
import { admits, type Subscription } from "./subscription.ts";
import type { SubscriptionStore } from "./subscription-store.ts";

/** As DCSA's reference publisher bundles. */
const eventsAtOnce = 100;
const lookEveryMs = 250;
const answerWithinMs = 10_000;
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;

interface News {
  readonly fact: Fact;
  /** Simulated epoch milliseconds. */
  readonly saidAt: number;
}

interface Trouble {
  readonly failures: number;
  /** Real milliseconds. */
  readonly until: number;
}

interface PublisherOptions {
  readonly line: SandboxLine;
  readonly subscriptions: SubscriptionStore;
  /** Simulated epoch milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

/** Pushes new events to subscribers until the service stops. */
export function startPublishing(options: PublisherOptions): void {
  const publisher = new Publisher(options);
  const timer = setInterval(() => publisher.look(), lookEveryMs);
  timer.unref();
  options.stopping.addEventListener("abort", () => clearInterval(timer));
}

/** Pushes the events that were published since the last push; one push at a time per subscription. */
class Publisher {
  readonly #options: PublisherOptions;
  readonly #busy = new Set<string>();
  readonly #trouble = new Map<string, Trouble>();

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  look(): void {
    for (const subscription of this.#options.subscriptions.all()) {
      const { subscriptionID: id } = subscription;
      if (this.#busy.has(id) || (this.#trouble.get(id)?.until ?? 0) > performance.now()) continue;
      this.#busy.add(id);
      void this.#push(subscription).finally(() => this.#busy.delete(id));
    }
  }

  async #push(subscription: Subscription): Promise<void> {
    const { subscriptions, now: clock } = this.#options;
    const now = clock();
    const news = this.#newsFor(subscription, now);
    const told = (until: number): void => {
      // It may have been edited or removed meanwhile.
      const present = subscriptions.find(subscription.subscriptionID);
      if (present !== undefined && present.toldUntil < until) subscriptions.put({ ...present, toldUntil: until });
    };
    for (let from = 0; from < news.length; from += eventsAtOnce) {
      const bundle = news.slice(from, from + eventsAtOnce);
      if (!(await this.#post(subscription, bundle))) return;
      const last = bundle.at(-1)?.saidAt ?? now;
      // What was said at that very moment and is not in this bundle is still to be told.
      told(news[from + eventsAtOnce]?.saidAt === last ? last - 1 : last);
    }
    if (news.length > 0) told(now);
  }

  /** What was said of a shipment before anybody knew of it is said, for a subscriber, when it is booked. */
  #newsFor(subscription: Subscription, now: number): readonly News[] {
    return this.#voyagesFor(subscription, now)
      .flatMap(({ shipment, facts }) =>
        toldAt(facts, now).map((fact) => ({ fact, saidAt: Math.max(fact.publishedAt, shipment.bookedAt) })),
      )
      .filter(({ fact, saidAt }) => saidAt > subscription.toldUntil && admits(subscription, fact))
      .sort((one, other) => one.saidAt - other.saidAt);
  }

  /** A documented number in a subscription books the shipment, as a request for its events does. */
  #voyagesFor({ transportDocumentReference, carrierBookingReference }: Subscription, now: number): readonly Voyage[] {
    const { line } = this.#options;
    const byDocument = transportDocumentReference && line.byBillOfLading(transportDocumentReference, now);
    const byBooking = carrierBookingReference && line.byBooking(carrierBookingReference, now);
    const isNamed = transportDocumentReference !== undefined || carrierBookingReference !== undefined;
    return isNamed ? [byDocument || byBooking || []].flat() : line.latest(shipmentsSearched);
  }

  async #post({ subscriptionID: id, callbackUrl, secret }: Subscription, bundle: readonly News[]): Promise<boolean> {
    const { logger, stopping } = this.#options;
    const body = Buffer.from(JSON.stringify(bundle.map(({ fact }) => fact.event)));
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
      signal: AbortSignal.any([stopping, AbortSignal.timeout(answerWithinMs)]),
    }).then(
      (answer) => answer.status,
      () => null,
    );
    const isTaken = status === 204 || status === 200;
    logger.info({ subscription: id, events: bundle.length, status }, isTaken ? "push.taken" : "push.failed");
    if (isTaken) this.#trouble.delete(id);
    else {
      const failures = (this.#trouble.get(id)?.failures ?? 0) + 1;
      const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1));
      this.#trouble.set(id, { failures, until: performance.now() + waitMs });
    }
    return isTaken;
  }
}
