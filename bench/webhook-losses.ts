import type { WebhookHarness } from "./webhook-harness.ts";

/** When each notification was received, in milliseconds of the epoch, by its id. */
export function receptions(harness: WebhookHarness): Map<string, number[]> {
  const all = new Map<string, number[]>();
  for (const { headers, receivedAtMs } of harness.sink.deliveries) {
    const id = String(headers["webhook-id"]);
    const times = all.get(id);
    if (times) times.push(receivedAtMs);
    else all.set(id, [receivedAtMs]);
  }
  return all;
}

export interface Losses {
  readonly total: number;
  /** Committed but never received. */
  readonly lost: number;
  /** Requests that were received and that the attempt log does not know. */
  readonly unlogged: number;
  /** Requests beyond the first of each notification. */
  readonly repeated: number;
}

export async function losses(harness: WebhookHarness): Promise<Losses> {
  const received = receptions(harness);
  const { rows } = await harness.fixture.pool.query<{ id: string; attempts: number }>(
    `SELECT n.id, count(a.id)::int AS attempts FROM webhook_notifications n
       LEFT JOIN webhook_attempts a ON a.account_id = n.account_id AND a.notification_id = n.id GROUP BY n.id`,
  );
  const logged = new Map(rows.map(({ id, attempts }) => [id, attempts]));
  const unlogged = [...received].reduce(
    (sum, [id, times]) => sum + Math.max(0, times.length - (logged.get(id) ?? 0)),
    0,
  );
  const repeated = [...received.values()].reduce((sum, times) => sum + times.length - 1, 0);
  return { total: rows.length, lost: rows.filter(({ id }) => !received.has(id)).length, unlogged, repeated };
}
