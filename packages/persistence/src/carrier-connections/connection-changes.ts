import type { Instant } from "@svc/domain";
import { uuidV7 } from "../ids.ts";
import { withNames } from "../named-parameters.ts";
import type { Sql, Statement } from "../sql.ts";

/** Changes of a suspended account wait until it is resumed, because they make subjects due. */
const findOne: Statement = {
  name: "connection-changes.next",
  text: `
    SELECT account_id AS "accountId", scac, changed_at AS "changedAt", done_kind AS "doneKind",
      done_number AS "doneNumber"
    FROM carrier_connection_changes c
    WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.id = c.account_id AND a.suspended_at IS NOT NULL)
    ORDER BY changed_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED`,
};

interface Change {
  readonly accountId: string;
  readonly scac: string;
  readonly changedAt: Instant;
  readonly doneKind: string;
  readonly doneNumber: string;
}

/**
 * Starts polls of a terminal operator for containers that are at its ports, or that a vessel brings there: those come
 * due a day before the arrival. Ended polls are started again; those that still have a time are moved.
 */
const startTerminalPolls = withNames(
  {
    name: "connection-changes.start-terminal-polls",
    text: `
    WITH due AS (
      SELECT n.id AS connection_id, c.id::text AS number, row_number() OVER (ORDER BY c.id) AS place,
        COALESCE(c.pod_arrived_at, c.pod_discharged_at) AS arrived_at, s.pod_eta_at
      FROM carrier_connections n
        JOIN shipments s ON s.account_id = n.account_id AND s.line_tracking_stopped_at IS NULL
          AND EXISTS (SELECT FROM ports p
            WHERE p.id IN (s.port_of_discharge_id, s.destination_port_id) AND p.locode = ANY(:places::text[]))
        JOIN containers c ON c.account_id = s.account_id AND c.shipment_id = s.id
        LEFT JOIN tracking_subjects t ON t.account_id = c.account_id AND t.scac = n.scac
          AND t.kind = 'terminal_container' AND t.number = c.id::text AND t.retired_at IS NULL
      WHERE n.account_id = :accountId AND n.scac = :scac AND n.active AND t.next_poll_at IS NULL
        AND c.current_status NOT IN ('picked_up', 'delivered', 'empty_returned')
        AND COALESCE(c.pod_arrived_at, c.pod_discharged_at, s.pod_eta_at) IS NOT NULL
      ORDER BY c.id LIMIT :batchSize),
    ids AS (SELECT id, place FROM unnest(:ids::uuid[]) WITH ORDINALITY AS given(id, place))
    INSERT INTO tracking_subjects AS t (id, account_id, scac, connection_id, kind, number, next_poll_at, created_at)
    SELECT ids.id, :accountId, :scac, due.connection_id, 'terminal_container', due.number,
      GREATEST(
        CASE WHEN due.place <= :sampleSize THEN :now::timestamptz
          ELSE :now::timestamptz + random() * :spreadMs * interval '1 millisecond' END,
        CASE WHEN due.arrived_at IS NULL THEN due.pod_eta_at - interval '1 day' END), :now
    FROM due JOIN ids USING (place)
    ON CONFLICT (account_id, scac, kind, number) WHERE retired_at IS NULL DO UPDATE
      SET next_poll_at = excluded.next_poll_at, connection_id = excluded.connection_id
    RETURNING t.id`,
  },
  ["scac", "places", "batchSize", "ids", "sampleSize", "now", "spreadMs"],
);

/**
 * Moves a batch of subjects to the account's connection, in the order of the index of current numbers. Polls become due
 * at random moments within `:spreadMs`, the first one of a terminal not before the day before the arrival.
 */
const moveSubjects = withNames(
  {
    name: "connection-changes.move-subjects",
    text: `
    WITH batch AS (
      SELECT id, kind, number,
        CASE WHEN :doneKind = '' AND row_number() OVER (ORDER BY kind, number) <= :sampleSize THEN :now::timestamptz
          ELSE :now::timestamptz + random() * :spreadMs * interval '1 millisecond' END AS at
      FROM (
        SELECT id, kind, number FROM tracking_subjects
        WHERE account_id = :accountId AND scac = :scac AND retired_at IS NULL
          AND (kind, number) > (:doneKind, :doneNumber)
        ORDER BY kind, number LIMIT :batchSize) b),
    moved AS (
      UPDATE tracking_subjects s SET
        connection_id = (SELECT c.id FROM carrier_connections c
          WHERE c.account_id = :accountId AND c.scac = :carrier AND c.active),
        next_poll_at = CASE WHEN s.kind = 'terminal_container' AND s.last_attempted_at IS NULL
          THEN GREATEST(batch.at, (
            SELECT h.pod_eta_at - interval '1 day'
            FROM containers c JOIN shipments h ON h.account_id = c.account_id AND h.id = c.shipment_id
            WHERE c.account_id = s.account_id AND c.id = s.number::uuid
              AND COALESCE(c.pod_arrived_at, c.pod_discharged_at) IS NULL))
          ELSE LEAST(s.next_poll_at, batch.at) END
      FROM batch WHERE s.id = batch.id AND s.next_poll_at IS NOT NULL)
    SELECT kind, number FROM batch ORDER BY kind, number`,
  },
  ["scac", "carrier", "doneKind", "doneNumber", "batchSize", "sampleSize", "now", "spreadMs"],
);

/** The brands of the carrier follow, each with a change of its own. */
const announceBrands: Statement = {
  name: "connection-changes.announce-brands",
  text: `
    INSERT INTO carrier_connection_changes (account_id, scac, changed_at) SELECT $1, unnest($2::text[]), $3
    ON CONFLICT (account_id, scac) DO UPDATE SET changed_at = excluded.changed_at, done_kind = '', done_number = ''`,
};

const advance: Statement = {
  name: "connection-changes.advance",
  text: "UPDATE carrier_connection_changes SET done_kind = $3, done_number = $4 WHERE account_id = $1 AND scac = $2",
};

const finish: Statement = {
  name: "connection-changes.finish",
  text: "DELETE FROM carrier_connection_changes WHERE account_id = $1 AND scac = $2",
};

export interface ConnectionChangeOptions {
  /** Present time on the tracking clock. */
  readonly now: Instant;
  readonly batchSize: number;
  /** Number of subjects that are polled at once, so that the health of the credentials is known soon. */
  readonly sampleSize: number;
  /** Time within which the other subjects are polled at random moments, on the tracking clock. */
  readonly spreadMs: number;
  /** UN/LOCODEs of the ports whose terminals a carrier operates; empty for a shipping line. */
  readonly terminalPlaces: (scac: string) => readonly string[];
  /** SCACs of brands, with the SCAC of the carrier whose connection they share. */
  readonly brands: ReadonlyMap<string, string>;
}

/**
 * Moves one batch of the subjects of a changed connection to the active credential and schedules their polls, in the
 * caller's transaction. Several workers may run it.
 * @returns false when no change is left.
 */
export async function applyConnectionChanges(sql: Sql, options: ConnectionChangeOptions): Promise<boolean> {
  const [change] = await sql.rows<Change>(findOne, []);
  if (change === undefined) return false;
  const { accountId, scac } = change;
  const places = options.terminalPlaces(scac);
  if (places.length > 0) {
    const ids = Array.from({ length: options.batchSize }, () => uuidV7.next());
    const started = await sql.rows(
      startTerminalPolls,
      startTerminalPolls.values({ ...options, ...change, places, ids }),
    );
    if (started.length === options.batchSize) return true;
  }
  const { brands } = options;
  const own = [...brands].flatMap(([brand, carrier]) => (carrier === scac ? brand : []));
  if (own.length > 0 && change.doneKind === "") await sql.execute(announceBrands, [accountId, own, change.changedAt]);
  const moved = await sql.rows<{ kind: string; number: string }>(
    moveSubjects,
    moveSubjects.values({ ...options, ...change, carrier: brands.get(scac) ?? scac }),
  );
  const last = moved.at(-1);
  if (last === undefined || moved.length < options.batchSize) await sql.execute(finish, [accountId, scac]);
  else await sql.execute(advance, [accountId, scac, last.kind, last.number]);
  return true;
}
