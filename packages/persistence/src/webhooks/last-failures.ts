import type { Instant } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";

/** The last failed attempt of a webhook. */
export interface LastFailure {
  readonly webhookId: string;
  readonly at: Instant;
  /** Null without a response. */
  readonly httpStatus: number | null;
  readonly errorClass: string | null;
}

const lastFailures: Statement = {
  name: "webhooks.last-failures",
  text: `
    SELECT id AS "webhookId", last_failure_at AS at, last_failure_status AS "httpStatus",
      last_failure_class AS "errorClass"
    FROM webhooks WHERE account_id = $1 AND id = ANY($2::uuid[]) AND last_failure_at IS NOT NULL`,
};

/** The last failures of the given webhooks that have any. */
export const readLastFailures = (
  sql: AccountSql,
  accountId: string,
  webhookIds: readonly string[],
): Promise<LastFailure[]> => sql.rows<LastFailure>(lastFailures, [accountId, webhookIds]);
