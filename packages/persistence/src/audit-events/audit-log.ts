import type { Instant } from "@svc/domain";
import type { AuditEvent } from "@svc/domain/audit-events";
import type { Page, PageRequest } from "@svc/domain/lists";
import { conditionsOf, type FilterSql, type ListSource, listRows } from "../lists/list-rows.ts";
import { type AccountSql, firstRow, type Sql, type Statement } from "../sql.ts";

/** Several values of one: any of them; several filters: all. */
export interface AuditFilters {
  /** Ids of users or tokens. */
  readonly actor?: readonly string[];
  readonly actorType?: readonly string[];
  readonly action?: readonly string[];
  readonly subject?: readonly string[];
  readonly subjectType?: readonly string[];
  readonly createdAfter?: Instant;
  readonly createdBefore?: Instant;
}

const columns = `
  e.id, e.actor_type AS "actorType", e.actor_id AS "actorId", e.actor_name AS "actorName", e.action,
  e.subject_type AS "subjectType", e.subject_id AS "subjectId", e.subject_name AS "subjectName", e.changes,
  e.created_at AS "createdAt"`;

const findOne: Statement = {
  name: "audit-events.find",
  text: `SELECT ${columns} FROM audit_events e WHERE e.account_id = $1 AND e.id = $2`,
};

const source: ListSource = {
  name: "audit-events",
  table: "audit_events",
  alias: "e",
  scope: "e.account_id = $1",
  columns,
  joins: "",
  sortKeys: { created_at: { column: "e.created_at", type: "timestamptz" } },
};

const filterSql: FilterSql<AuditFilters> = {
  actor: (p) => `e.actor_id = ANY(${p}::uuid[])`,
  actorType: (p) => `e.actor_type = ANY(${p}::text[])`,
  action: (p) => `e.action = ANY(${p}::text[])`,
  subject: (p) => `e.subject_id = ANY(${p}::uuid[])`,
  subjectType: (p) => `e.subject_type = ANY(${p}::text[])`,
  createdAfter: (p) => `e.created_at > ${p}::timestamptz`,
  createdBefore: (p) => `e.created_at < ${p}::timestamptz`,
};

/** The audit log of accounts. It is written by triggers and only read here. */
export interface AuditLogReader {
  find(accountId: string, id: string): Promise<AuditEvent | null>;
  list(accountId: string, filters: AuditFilters, page: PageRequest<"created_at">): Promise<Page<AuditEvent>>;
}

export function createAuditLogReader(sql: AccountSql): AuditLogReader {
  return {
    find: (accountId, id) => firstRow(sql.rows<AuditEvent>(findOne, [accountId, id])),
    list: (accountId, filters, page) =>
      listRows<AuditEvent>(sql, source, accountId, conditionsOf(filterSql, filters), page),
  };
}

/** Records a failed sign-in in each account of the user; nothing for an address without a user. */
const failedSignIn: Statement = {
  name: "audit.failed-sign-in",
  text: `
    INSERT INTO audit_events (account_id, actor_type, action, subject_type, subject_id, subject_name, changes)
    SELECT m.account_id, 'unknown', 'user.sign_in_failed', 'user', u.id, u.email,
      jsonb_build_object('address', jsonb_build_object('from', NULL, 'to', $2::text))
    FROM users u JOIN memberships m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id AND a.closed_at IS NULL
    WHERE lower(u.email) = lower($1)`,
};

/** Records a wrong code of a user whose password was right, like `failedSignIn`. */
const failedCode: Statement = {
  name: "audit.failed-code",
  text: failedSignIn.text.replace("lower(u.email) = lower($1)", "u.id = $1"),
};

/** Records that a user's second factor was wrong, from a network address. */
export async function recordFailedCode(sql: Sql, userId: string, address: string): Promise<void> {
  await sql.execute(failedCode, [userId, address]);
}

/** Records an attempt to sign in as a user from a network address. */
export async function recordFailedSignIn(sql: Sql, email: string, address: string): Promise<void> {
  await sql.execute(failedSignIn, [email, address]);
}

const removeOld: Statement = {
  name: "audit.remove-old",
  text: `
    DELETE FROM audit_events e USING (
      SELECT account_id, id FROM audit_events WHERE created_at < now() - make_interval(days => $1)
      ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    WHERE e.account_id = old.account_id AND e.id = old.id`,
};

/** Deletes up to `limit` events older than so many days of real time. Resolves to their number. */
export function removeOldAuditEvents(sql: Sql, days: number, limit: number): Promise<number> {
  return sql.execute(removeOld, [days, limit]);
}
