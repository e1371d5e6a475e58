import type { Sql, Statement } from "../sql.ts";

/** Records whose changes a page waits for: all of an account, or a shipment with its containers and exceptions. */
export interface WatchedRecords {
  readonly accountId: string;
  /** Null: all records of the account. */
  readonly shipmentId: string | null;
}

/** The newest unsettled rows are compared, at most so many: a long transaction leaves every later one unsettled. */
const unsettledCompared = 1_000;
const newestCompared = 20;

/** Every transaction with a lower id has ended. */
const running = "running AS MATERIALIZED (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS oldest_id)";

/**
 * Changes when a transaction that wrote to the table commits. Transactions commit in another order than they took their
 * ids, so the highest id is not enough. Rows are unsettled when their id is not below that of the oldest running
 * transaction; the sum of their ids changes with each of their commits. The oldest running transaction is part of the
 * version while it is older than the newest write, because its own write is settled as soon as it has ended.
 *
 * Example: 90 runs, and 95 has written row A: "95-90-95". 101 writes row B and commits before 100: "101-90-196". Then
 * 100 writes row A and commits: "101-90-201". 90 ends without a write: "101".
 */
const writes = (table: string): string => `
  (WITH newest AS (SELECT max(t.change_transaction_id) AS id FROM ${table} t WHERE t.account_id = w.account_id),
    unsettled AS (
      SELECT t.change_transaction_id AS id FROM ${table} t
      WHERE t.account_id = w.account_id AND t.change_transaction_id >= (SELECT oldest_id FROM running)
      ORDER BY t.change_transaction_id DESC LIMIT ${unsettledCompared})
  SELECT concat_ws('-', newest.id, CASE WHEN running.oldest_id <= newest.id THEN running.oldest_id END,
    (SELECT sum(id) FROM unsettled))
  FROM newest, running)`;

/** Several of the newest rows, because the time of a change is read before its commit. */
const newestRows = (table: string): string => `
  (SELECT hashtextextended(string_agg(newest.id || '.' || newest.row_version, ','), 0) FROM (
    SELECT t.id, t.row_version FROM ${table} t WHERE t.account_id = w.account_id
    ORDER BY t.updated_at DESC, t.id DESC LIMIT ${newestCompared}) AS newest)`;

/** Definitions and options, of which an account has few. */
const allRows = (table: string): string => `
  (SELECT concat_ws('-', count(*), sum(t.row_version), max(t.updated_at)) FROM ${table} t
    WHERE t.account_id = w.account_id)`;

const findAccountVersions: Statement = {
  name: "live-changes.of-accounts",
  text: `
    WITH ${running}
    SELECT w.position::int AS position, concat_ws('.', ${writes("shipments")}, ${writes("containers")},
      ${newestRows("tracking_requests")}, ${newestRows("exceptions")}, ${allRows("custom_field_definitions")},
      ${allRows("custom_field_options")}) AS version
    FROM unnest($1::uuid[]) WITH ORDINALITY AS w(account_id, position)`,
};

const tableVersion = (table: string, counted: string): string => `
  (SELECT concat_ws('-', count(*), ${counted}) FROM ${table} t
    WHERE t.account_id = s.account_id AND t.shipment_id = s.id)`;

const findShipmentVersions: Statement = {
  name: "live-changes.of-shipments",
  text: `
    SELECT w.position::int AS position, concat_ws('.', s.change_transaction_id, s.row_version,
      extract(epoch FROM polled.last_succeeded_at), ${tableVersion("containers", "sum(t.change_transaction_id)")},
      ${tableVersion("transport_events", "sum(t.change_transaction_id)")},
      ${tableVersion("exceptions", "sum(t.row_version)")}) AS version
    FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS w(account_id, shipment_id, position)
    JOIN shipments s ON s.account_id = w.account_id AND s.id = w.shipment_id
    LEFT JOIN tracking_subjects polled ON polled.account_id = s.account_id AND polled.id = s.subject_id`,
};

interface VersionRow {
  /** Counted from 1. */
  readonly position: number;
  readonly version: string;
}

/**
 * A text for each of the watched records, in their order, that differs from the previous one after a change. It may
 * also differ without a change. Empty for a shipment that the account does not have. At most two statements.
 */
export async function readChangeVersions(sql: Sql, watched: readonly WatchedRecords[]): Promise<string[]> {
  const versions = watched.map(() => "");
  const all = watched.map((records, index) => ({ ...records, index }));
  const accounts = all.filter(({ shipmentId }) => shipmentId === null);
  const shipments = all.filter(({ shipmentId }) => shipmentId !== null);
  const accountsOf = (records: readonly WatchedRecords[]) => records.map(({ accountId }) => accountId);
  const [accountVersions, shipmentVersions] = await Promise.all([
    accounts.length === 0 ? [] : sql.rows<VersionRow>(findAccountVersions, [accountsOf(accounts)]),
    shipments.length === 0
      ? []
      : sql.rows<VersionRow>(findShipmentVersions, [
          accountsOf(shipments),
          shipments.map(({ shipmentId }) => shipmentId),
        ]),
  ]);
  const note = (records: typeof all, rows: readonly VersionRow[]): void => {
    for (const { position, version } of rows) {
      const record = records[position - 1];
      if (record) versions[record.index] = version;
    }
  };
  note(accounts, accountVersions);
  note(shipments, shipmentVersions);
  return versions;
}
