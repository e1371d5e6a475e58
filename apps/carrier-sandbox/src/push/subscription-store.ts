import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { replaceDurably } from "../durable-file.ts";
import { type Subscription, SubscriptionBody } from "./subscription.ts";

const Stored = z.array(SubscriptionBody.extend({ subscriptionID: z.string(), toldUntil: z.number() }));

/** The event subscriptions, in a file that survives a crash. */
export class SubscriptionStore {
  readonly #path: string;
  readonly #byId: Map<string, Subscription>;

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
    this.#byId.set(subscription.subscriptionID, subscription);
    this.#write();
  }

  /** @returns whether the subscription existed. */
  remove(id: string): boolean {
    const isThere = this.#byId.delete(id);
    if (isThere) this.#write();
    return isThere;
  }

  #write(): void {
    replaceDurably(this.#path, `${JSON.stringify(this.all())}\n`);
  }
}
