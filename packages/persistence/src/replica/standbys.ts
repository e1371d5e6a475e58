import type pg from "pg";

/** A position in the write-ahead log of the primary. */
export interface WalPosition {
  /** Bytes since the beginning of the log. */
  readonly bytes: number;
  /** Increases with each promotion. Positions of different timelines cannot be compared. */
  readonly timeline: number;
}

/** A server in recovery, as of its last reply. Its position never goes back. */
interface Standby {
  timeline: number;
  /** Bytes of the log that it has replayed at least. */
  replayedBytes: number;
  /** The running statement that reads how far it is. */
  reading: Promise<void> | undefined;
}

/**
 * The timeline is that of the last restart point, which may be older than the one that is replayed, and never newer:
 * PostgreSQL has no function for that one. After a restart the server counts as another one.
 */
const identity = {
  name: "replica.identity",
  text: `SELECT concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) AS server,
    pg_is_in_recovery() AS "isStandby", current_user::text AS role,
    greatest((pg_control_checkpoint()).timeline_id, (pg_control_recovery()).min_recovery_end_timeline) AS timeline`,
};

const progress = {
  name: "replica.progress",
  text: `SELECT (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint AS bytes`,
};

/** A host that vanished does not respond; both statements take far less than a millisecond. */
const query_timeout = 1_000;

/** The server may not be read instead of the primary. */
export class UnusableReplicaError extends Error {
  override readonly name = "UnusableReplicaError";
}

/** The servers that the connections of one address lead to. */
export class Standbys {
  readonly #byServer = new Map<string, Standby>();
  readonly #ofClient = new WeakMap<pg.PoolClient, Standby>();

  /**
   * @param role role that the connection must have; undefined: any. Throws `UnusableReplicaError` when it has another
   * one, or when the server is no standby.
   */
  async of(client: pg.PoolClient, role: string | undefined): Promise<Standby> {
    return this.#ofClient.get(client) ?? this.#identify(client, role);
  }

  /**
   * Whether the server has replayed the position. Throws `UnusableReplicaError` while the server is not proven to be on
   * the timeline of the position: a standby that did not follow a promotion may be ahead of the new primary, with
   * another history.
   */
  async hasReplayed(client: pg.PoolClient, role: string | undefined, position: WalPosition): Promise<boolean> {
    let standby = await this.of(client, role);
    if (standby.timeline < position.timeline) standby = await this.#identify(client, role);
    if (standby.timeline < position.timeline) {
      throw new UnusableReplicaError("The replica has no restart point since the promotion of the present primary.");
    }
    if (standby.replayedBytes >= position.bytes) return true;
    standby.reading ??= readProgress(client, standby);
    await standby.reading;
    return standby.replayedBytes >= position.bytes;
  }

  async #identify(client: pg.PoolClient, role: string | undefined): Promise<Standby> {
    const { rows } = await client.query<{ server: string; isStandby: boolean; role: string; timeline: number }>(
      withTimeout(identity),
    );
    const found = rows[0];
    if (!found?.isStandby) throw new UnusableReplicaError("The server of SVC_DATABASE_READ_URL is not a standby.");
    if (role !== undefined && found.role !== role) {
      throw new UnusableReplicaError(`Connections to the replica do not get the role ${role}: a pooler drops it.`);
    }
    const standby = this.#byServer.get(found.server) ?? { timeline: 0, replayedBytes: 0, reading: undefined };
    standby.timeline = Math.max(standby.timeline, found.timeline);
    this.#byServer.set(found.server, standby);
    this.#ofClient.set(client, standby);
    return standby;
  }
}

/** pg reads a timeout of a single statement, which its types lack. */
const withTimeout = (statement: { readonly name: string; readonly text: string }): pg.QueryConfig =>
  ({ ...statement, query_timeout }) as pg.QueryConfig;

async function readProgress(client: pg.PoolClient, standby: Standby): Promise<void> {
  try {
    const { rows } = await client.query<{ bytes: number | null }>(withTimeout(progress));
    standby.replayedBytes = Math.max(standby.replayedBytes, rows[0]?.bytes ?? 0);
  } finally {
    standby.reading = undefined;
  }
}
