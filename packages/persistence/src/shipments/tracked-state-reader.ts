import type { Instant } from "@svc/domain";
import type { FreshnessFacts } from "@svc/domain/tracking";
import { type AccountSql, firstRow, type Statement } from "../sql.ts";
import { shipmentTerminalsRepliedAt } from "./terminals-replied.ts";

const find: Statement = {
  name: "shipments.tracked-state",
  text: `
    SELECT s.line_tracking_stopped_at AS "stoppedAt", t.progress, t.last_attempted_at AS "lastAttemptedAt",
      t.last_succeeded_at AS "lastSucceededAt", COALESCE(t.unchanged_polls, 0) AS "unchangedPolls",
      t.last_changed_at AS "lastChangedAt", t.not_found_since AS "notFoundSince", s.created_at AS "trackedSince",
      ${shipmentTerminalsRepliedAt} AS "terminalsRepliedAt"
    FROM shipments s LEFT JOIN tracking_subjects t ON t.account_id = s.account_id AND t.id = s.subject_id
    WHERE s.account_id = $1 AND s.id = $2`,
};

export interface TrackedState extends FreshnessFacts {
  readonly lastAttemptedAt: Instant | null;
}

/** The polling state of a shipment; null when there is no such shipment. */
export type TrackedStateReader = (accountId: string, shipmentId: string) => Promise<TrackedState | null>;

export function createTrackedStateReader(sql: AccountSql): TrackedStateReader {
  return (accountId, shipmentId) => firstRow(sql.rows<TrackedState>(find, [accountId, shipmentId]));
}
