import type { BoundText, NamedText } from "./named-query.ts";

const settingsOfSets = ["enable_hashjoin", "enable_mergejoin", "enable_sort"];
/** Settings that change plans, for a process that reads a few rows at a time. See PoolOptions.plans. */
const planSettings = {
  by_index: ["enable_seqscan"],
  by_index_in_turn: ["enable_seqscan", ...settingsOfSets],
};

/** Sets `by_index` for a transaction that reads many rows, on a connection of `by_index_in_turn`. */
export const planByIndex: NamedText = {
  name: "settings.plan-by-index",
  text: `SELECT ${settingsOfSets.map((name) => `set_config('${name}', 'on', true)`).join(", ")}`,
};

export type PlanSettings = keyof typeof planSettings;

type Settings = readonly (readonly [name: string, value: string])[];

/** @param role role of the connections; undefined: the login user's. */
export function connectionSettings(
  timeoutMs: number,
  plans: PlanSettings | undefined,
  role: string | undefined,
  actor?: string,
): Settings {
  return [
    ["timezone", "UTC"],
    ["datestyle", "ISO"],
    // No statement runs long enough for JIT compilation to pay off.
    ["jit", "off"],
    ...(plans === undefined ? [] : planSettings[plans]).map((name) => [name, "off"] as const),
    ["statement_timeout", String(timeoutMs)],
    ["idle_in_transaction_session_timeout", String(timeoutMs)],
    ...(role === undefined ? [] : [["role", role] as const]),
    ...(actor === undefined ? [] : [["svc.actor", actor] as const]),
  ];
}

/** The `options` of a connection's startup message. */
export const asStartupOptions = (settings: Settings): string =>
  settings.map(([name, value]) => `-c ${name}=${value}`).join(" ");

/**
 * The settings as statements of a transaction, which end with it. A pooler in transaction mode gives each transaction
 * another connection of the server, so nothing may be set for longer.
 */
export interface TransactionSettings {
  /**
   * Sent before a statement that is a transaction by itself. `accountId`: whose rows it sees; null: not limited.
   * `actor`: of the audit log.
   */
  beforeStatement(accountId: string | null, actor: string | undefined): BoundText;
  /** Statement sent after BEGIN. */
  afterBegin(accountId: string | null): BoundText;
}

export function asTransactionSettings(settings: Settings): TransactionSettings {
  const calls = settings.map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const account = "set_config('svc.account_id', $1, true)";
  const text = `SELECT ${calls.join(", ")}`;
  const byActor = (accountId: string | null, actor: string): BoundText => ({
    statement: {
      name: "settings.before-statement-by-actor",
      text: `${text}, set_config('svc.account_id', $1, true), set_config('svc.actor', $2, true)`,
    },
    values: [accountId ?? "", actor],
  });
  // pg tracks which statements it prepared, but not those that are sent before one: hence two names.
  const bound = (name: string, accountId: string | null): BoundText =>
    accountId === null
      ? { statement: { name: `settings.${name}`, text }, values: [] }
      : { statement: { name: `settings.${name}-of-account`, text: `${text}, ${account}` }, values: [accountId] };
  return {
    beforeStatement: (accountId, actor) =>
      actor === undefined ? bound("before-statement", accountId) : byActor(accountId, actor),
    afterBegin: (accountId) => bound("after-begin", accountId),
  };
}
