import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Actor of changes: a member, an API token, or the operator of the service with `svc-admin`. Changes by the service
 * itself are not recorded.
 */
export type Actor =
  | { readonly type: "user"; readonly userId: string }
  | { readonly type: "api_token"; readonly tokenId: string }
  | { readonly type: "operator" | "service" };

const actors = new AsyncLocalStorage<string>();

/** The value of the setting `svc.actor`, which the triggers of the audit log read. */
export function actorSetting(actor: Actor): string {
  if (actor.type === "user") return `user:${actor.userId}`;
  return actor.type === "api_token" ? `api_token:${actor.tokenId}` : actor.type;
}

/**
 * Runs work whose changes the audit log attributes to the actor, in the transaction of each change (docs/audit-log.md).
 * Changes outside are those of the service itself, and are not recorded.
 */
export const actingAs = <T>(actor: Actor, work: () => Promise<T>): Promise<T> => actors.run(actorSetting(actor), work);

/** The setting of the actor whose work is running; undefined: none. */
export const currentActor = (): string | undefined => actors.getStore();
