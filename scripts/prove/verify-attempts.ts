import type { TrackingLoad } from "./tracking-load.ts";

/** Throws unless the log of attempts has every request of the receiver, and no other one with a response. */
export async function verifyAttempts(load: TrackingLoad): Promise<string> {
  const database = load.connect();
  try {
    const { rows } = await database.pool.query<{ id: string; attempts: number; answered: number }>(
      `SELECT notification_id AS id, count(*)::int AS attempts,
              count(http_status)::int AS answered
       FROM webhook_attempts GROUP BY notification_id`,
    );
    const logged = new Map(rows.map((row) => [row.id, row]));
    const received = Map.groupBy(load.received, ({ headers }) => String(headers["webhook-id"]));
    for (const [id, requests] of received) {
      const { attempts = 0, answered = 0 } = logged.get(id) ?? {};
      if (attempts < requests.length || answered > requests.length)
        throw new Error(
          `${id}: ${requests.length} requests, ${attempts} attempts, ${answered} of them with a response.`,
        );
    }
    const [attempts, withResponse] = (["attempts", "answered"] as const).map((key) =>
      rows.reduce((sum, row) => sum + row[key], 0),
    );
    return `${load.received.length} requests received; ${attempts} attempts logged, ${withResponse} with a response`;
  } finally {
    await database.close();
  }
}
