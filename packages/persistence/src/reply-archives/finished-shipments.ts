import type { Instant } from "@svc/domain";
import { nilUuid } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";

/** A shipment whose tracking has stopped. */
export interface FinishedShipment {
  readonly accountId: string;
  readonly id: string;
  readonly number: string;
  readonly scac: string;
  readonly stoppedAt: Instant;
  /** Archived since its tracking stopped. */
  readonly isArchived: boolean;
}

/** The position before every finished shipment. */
export const firstFinished: Pick<FinishedShipment, "accountId" | "id" | "stoppedAt"> = {
  accountId: nilUuid,
  id: nilUuid,
  stoppedAt: "1970-01-01T00:00:00.000Z" as Instant,
};

const finished: Statement = {
  name: "reply-archives.finished-shipments",
  text: `
    SELECT s.account_id AS "accountId", s.id, s.normalized_number AS number, s.shipping_line_scac AS scac,
      s.line_tracking_stopped_at AS "stoppedAt", EXISTS (SELECT FROM reply_archives a
        WHERE a.account_id = s.account_id AND a.shipment_id = s.id AND a.stopped_at = s.line_tracking_stopped_at
          AND a.stored_at IS NOT NULL) AS "isArchived"
    FROM shipments s JOIN accounts c ON c.id = s.account_id AND c.closed_at IS NULL
    WHERE (s.line_tracking_stopped_at, s.account_id, s.id) > ($1, $2, $3) AND s.line_tracking_stopped_at < $4
    ORDER BY s.line_tracking_stopped_at, s.account_id, s.id LIMIT 200`,
};

/**
 * Up to 200 shipments after a position whose tracking stopped before `until`, in the order in which it stopped. Closed
 * accounts have none.
 */
export function finishedShipments(
  sql: Sql,
  after: Pick<FinishedShipment, "accountId" | "id" | "stoppedAt">,
  until: Instant,
): Promise<FinishedShipment[]> {
  return sql.rows<FinishedShipment>(finished, [after.stoppedAt, after.accountId, after.id, until]);
}
