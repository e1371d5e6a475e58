import type { Container } from "@svc/domain/containers";
import type { Shipment } from "@svc/domain/shipments";
import type { ListedTransportEvent } from "@svc/domain/transport-events";
import { type ContainerRow, containerColumns, containerJoins, toContainer } from "../containers/container-row.ts";
import { nilUuid } from "../ids.ts";
import { type ShipmentRow, shipmentColumns, shipmentJoins, toShipments } from "../shipments/shipment-row.ts";
import type { AccountSql, Statement } from "../sql.ts";
import { listedColumns, transportEventJoins } from "../transport-events/transport-event-repository.ts";

/** Transaction ids: changes of the transactions from `since` up to, but without, `until`. */
export interface ChangeRange {
  readonly since: string;
  readonly until: string;
}

/** Batches of the records of an account whose last change is in the range, each record once. */
type Export<Item> = (accountId: string, range: ChangeRange) => AsyncGenerator<readonly Item[], void, undefined>;

/**
 * Transactions become visible in another order than they start. So an export is in the order of transaction ids and
 * ends before the oldest running transaction, where the next export starts: no change is missed (docs/adr/0013).
 */
export interface ExportReader {
  /** The oldest running transaction: all transactions before it have ended. */
  findEnd(accountId: string): Promise<string>;
  readonly shipments: Export<Shipment>;
  readonly containers: Export<Container>;
  /** Listed transport events, including invalidated versions. */
  readonly transportEvents: Export<ListedTransportEvent>;
}

const batchSize = 500;

const end: Statement = {
  name: "exports.end",
  text: "SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS id WHERE $1::uuid IS NOT NULL",
};

/** One batch by keyset: the cost does not depend on how far the export has come. */
const batchStatement = (table: string, alias: string, columns: string, joins: string): Statement => ({
  name: `exports.${table}`,
  text: `
    SELECT ${columns}, ${alias}.change_transaction_id::text AS "changeTransactionId"
    FROM (
      SELECT * FROM ${table} t
      WHERE t.account_id = $1 AND (t.change_transaction_id, t.id) > ($2::bigint, $3::uuid)
        AND t.change_transaction_id < $4::bigint
      ORDER BY t.change_transaction_id, t.id LIMIT ${batchSize}) AS ${alias} ${joins}
    ORDER BY ${alias}.change_transaction_id, ${alias}.id`,
});

const shipmentBatch = batchStatement("shipments", "s", shipmentColumns, shipmentJoins);
const containerBatch = batchStatement("containers", "c", containerColumns, containerJoins);
const eventBatch = batchStatement("listed_transport_events", "e", listedColumns, transportEventJoins);

interface ChangedRow {
  readonly id: string;
  readonly changeTransactionId: string;
}

export function createExportReader(sql: AccountSql): ExportReader {
  async function* batches<Row extends object>(statement: Statement, accountId: string, { since, until }: ChangeRange) {
    let after: ChangedRow = { changeTransactionId: since, id: nilUuid };
    for (;;) {
      const values = [accountId, after.changeTransactionId, after.id, until] as const;
      const rows = await sql.rows<Row & ChangedRow>(statement, values);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows as readonly Row[];
      if (rows.length < batchSize) return;
      after = last;
    }
  }

  return {
    async findEnd(accountId) {
      const [row] = await sql.rows<{ readonly id: string }>(end, [accountId]);
      if (row === undefined) throw new Error("PostgreSQL returned no snapshot.");
      return row.id;
    },
    async *shipments(accountId, range) {
      for await (const rows of batches<ShipmentRow>(shipmentBatch, accountId, range))
        yield await toShipments(sql, accountId, rows);
    },
    async *containers(accountId, range) {
      for await (const rows of batches<ContainerRow>(containerBatch, accountId, range)) yield rows.map(toContainer);
    },
    transportEvents: (accountId, range) => batches<ListedTransportEvent>(eventBatch, accountId, range),
  };
}
