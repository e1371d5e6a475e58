import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { replaceDurably } from "../replace-durably.ts";
import { type Subscription, SubscriptionBody } from "./subscription.ts";

const Stored = z.array(SubscriptionBody.extend({ subscriptionID: z.string(), pushedUntil: z.number() }));

/** The event subscriptions, in a file that survives a crash. */
export class SubscriptionStore {
  readonly #path: string;
  #byId: Map<string, Subscription>;

  constructor(path: string) {
    this.#path = path;
    const stored = existsSync(path) ? Stored.parse(JSON.parse(readFileSync(path, "utf8"))) : [];
    this.#byId = new Map(stored.map((subscription) => [subscription.subscriptionID, subscription]));
  }

  all(): readonly Subscription[] {
    return [...this.#byId.values()];
  }

  find(id: string): Subscription | undefined {
    return this.#byId.get(id);
  }

  put(subscription: Subscription): void {
    this.#replace(new Map(this.#byId).set(subscription.subscriptionID, subscription));
  }

  /** @returns whether the subscription existed. */
  remove(id: string): boolean {
    const remaining = new Map(this.#byId);
    const existed = remaining.delete(id);
    if (existed) this.#replace(remaining);
    return existed;
  }

  /** Changes nothing when the file cannot be written. */
  #replace(byId: Map<string, Subscription>): void {
    replaceDurably(this.#path, `${JSON.stringify([...byId.values()])}\n`);
    this.#byId = byId;
  }
}
