import type { Sql, Statement } from "../sql.ts";

/** Records whose changes a page waits for: all of an account, or a shipment with its containers and exceptions. */
export interface WatchedRecords {
  readonly accountId: string;
  /** Null: all records of the account. */
  readonly shipmentId: string | null;
}

/** Limits what a long transaction, before which no change counts as settled, makes a statement count. */
const unsettledCounted = 1_000;
const newestCompared = 20;

/**
 * Changes when a transaction that wrote to the table commits. Transactions commit in another order than they took their
 * ids, so the highest id is not enough. What is written since the oldest running transaction is counted, and that
 * transaction is part of the version while it is older than the newest write: once it has ended, its own write is no
 * longer counted.
 */
const writes = (table: string): string => `
  (SELECT concat_ws('-', newest.id, CASE WHEN running.oldest_id <= newest.id THEN running.oldest_id END, (
      SELECT count(*) FROM (
        SELECT FROM ${table} t
        WHERE t.account_id = w.account_id AND t.change_transaction_id >= running.oldest_id
        LIMIT ${unsettledCounted}) AS unsettled))
   FROM (SELECT max(t.change_transaction_id) AS id FROM ${table} t WHERE t.account_id = w.account_id) AS newest,
     (SELECT (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint AS oldest_id) AS running)`;

/** Several of the newest rows, because the time of a change is read before its commit. */
const newestRows = (table: string): string => `
  (SELECT hashtextextended(string_agg(newest.id || '.' || newest.row_version, ','), 0) FROM (
    SELECT t.id, t.row_version FROM ${table} t WHERE t.account_id = w.account_id
    ORDER BY t.updated_at DESC, t.id DESC LIMIT ${newestCompared}) AS newest)`;

const findAccountVersions: Statement = {
  name: "live-changes.of-accounts",
  text: `
    SELECT w.position::int AS position, concat_ws('.', ${writes("shipments")}, ${writes("containers")},
      ${newestRows("tracking_requests")}, ${newestRows("exceptions")}) AS version
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
