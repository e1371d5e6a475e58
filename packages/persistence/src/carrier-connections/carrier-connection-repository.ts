import { type Instant, instant } from "@svc/domain";
import type { CarrierConnection, CarrierCredentials, ConnectionHealth } from "@svc/domain/carrier-connections";
import type { Page, PageRequest } from "@svc/domain/lists";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import type { SecretBox } from "../secret-box.ts";
import type { AccountSql, Statement } from "../sql.ts";

const columns = `
  n.id, n.scac, n.credential_kind AS "credentialKind", n.active, n.sealed_push_secret AS "sealedPushSecret",
  n.test_requested_at IS NOT NULL AS "isTestRunning", n.last_test AS "lastTest",
  n.row_version AS "rowVersion", n.created_at AS "createdAt", n.updated_at AS "updatedAt",
  jsonb_build_object(
    'requestsToday', CASE WHEN a.day = date_trunc('day', now(), 'UTC') THEN a.day_count ELSE 0 END,
    'answers', COALESCE(a.answer_count, 0), 'failures', COALESCE(a.failure_count, 0),
    'rejections', COALESCE(a.rejection_count, 0), 'throttles', COALESCE(a.throttle_count, 0),
    'unrecognized', COALESCE(a.unrecognized_count, 0), 'skippedEvents', COALESCE(a.skipped_event_count, 0),
    'lastError', CASE WHEN a.last_error_at > COALESCE(a.last_success_at, '-infinity') THEN a.last_error END,
    'isPaused', COALESCE(a.open_until IS NOT NULL OR a.paused_until > now(), false)) AS health,
  a.last_success_at AS "lastSuccessAt", a.last_error_at AS "lastErrorAt"`;

const access = "LEFT JOIN carrier_access a ON a.credential = n.id::text";
const scope = "n.account_id = $1";

const findOne: Statement = {
  name: "carrier-connections.find",
  text: `SELECT ${columns} FROM carrier_connections n ${access} WHERE ${scope} AND n.id = $2`,
};

/**
 * The subjects of the carrier are updated in batches (`applyConnectionChanges`), so that the cost of the request does
 * not depend on their number.
 */
const announceChange = `
  announced AS (
    INSERT INTO carrier_connection_changes (account_id, scac, changed_at) SELECT n.account_id, n.scac, $3 FROM n
    ON CONFLICT (account_id, scac) DO UPDATE SET changed_at = excluded.changed_at, done_kind = '', done_number = '')`;

/** Closes the circuit breaker, because failures of the old credentials opened it. */
const resetBreaker = `
  reset AS (
    UPDATE carrier_access a SET consecutive_failures = 0, openings = 0, open_until = NULL, probe_until = NULL,
      next_check_at = NULL, away_since = NULL, failed_checks = 0
    FROM n WHERE a.credential = n.id::text)`;

const findByScac: Statement = {
  name: "carrier-connections.find-by-scac",
  text: `SELECT ${columns} FROM carrier_connections n ${access} WHERE ${scope} AND n.scac = ANY($2::text[])`,
};

const insertOne: Statement = {
  name: "carrier-connections.insert",
  wakes: "svc_tracking",
  text: `
    WITH n AS (
      INSERT INTO carrier_connections (account_id, id, scac, credential_kind, sealed_credentials, active,
        sealed_push_secret, created_at, updated_at)
      VALUES ($1, $2, $4, $5, $6, $7, $8, $3, $3)
      ON CONFLICT (account_id, scac) DO NOTHING RETURNING *),
    ${announceChange}
    SELECT ${columns} FROM n ${access}`,
};

const editOne: Statement = {
  name: "carrier-connections.edit",
  wakes: "svc_tracking",
  text: `
    WITH n AS (
      UPDATE carrier_connections n SET credential_kind = COALESCE($4, credential_kind),
        sealed_credentials = COALESCE($5, sealed_credentials), active = COALESCE($6, active),
        test_requested_at = CASE WHEN $5::bytea IS NULL THEN test_requested_at END,
        test_claimed_until = CASE WHEN $5::bytea IS NULL THEN test_claimed_until END,
        last_test = CASE WHEN $5::bytea IS NULL THEN last_test END,
        row_version = row_version + 1, updated_at = $3
      WHERE ${scope} AND n.id = $2 AND ($7::int[] IS NULL OR row_version = ANY($7))
        AND ($5::bytea IS NOT NULL OR active IS DISTINCT FROM COALESCE($6, active))
      RETURNING *),
    ${resetBreaker},
    ${announceChange}
    SELECT ${columns} FROM n ${access}`,
};

const deleteOne: Statement = {
  name: "carrier-connections.delete",
  wakes: "svc_tracking",
  text: `
    WITH n AS (
      DELETE FROM carrier_connections n WHERE ${scope} AND n.id = $2 AND ($4::int[] IS NULL OR row_version = ANY($4))
      RETURNING n.account_id, n.id, n.scac),
    removed_access AS (DELETE FROM carrier_access a USING n WHERE a.credential = n.id::text),
    ${announceChange}
    SELECT n.id FROM n`,
};

const requestOneTest: Statement = {
  name: "carrier-connections.request-test",
  wakes: "svc_tracking",
  text: `
    UPDATE carrier_connections n SET test_requested_at = COALESCE(n.test_requested_at, clock_timestamp())
    WHERE ${scope} AND n.id = $2`,
};

const listSource: ListSource = {
  name: "carrier-connections",
  table: "carrier_connections",
  alias: "n",
  scope,
  columns,
  joins: access,
  sortKeys: { created_at: { column: "n.created_at", type: "timestamptz" } },
};

interface Row extends Omit<CarrierConnection, "health" | "pushSecret"> {
  readonly sealedPushSecret: Buffer;
  readonly health: Omit<ConnectionHealth, "lastSuccessAt" | "lastErrorAt">;
  readonly lastSuccessAt: Instant | null;
  readonly lastErrorAt: Instant | null;
}

export interface NewCarrierConnection {
  readonly id: string;
  readonly scac: string;
  readonly credentials: CarrierCredentials;
  readonly active: boolean;
  readonly pushSecret: string;
}

interface ConditionalWrite {
  readonly now: Instant;
  readonly ifVersions: readonly number[] | null;
}

export interface CarrierConnectionRepository {
  find(accountId: string, id: string): Promise<CarrierConnection | null>;
  /** The account's connections to these carriers. */
  findByScac(accountId: string, scacs: readonly string[]): Promise<CarrierConnection[]>;
  list(accountId: string, page: PageRequest<"created_at">): Promise<Page<CarrierConnection>>;
  /**
   * Null when the account already has a connection to the carrier. Its subjects at the carrier are polled with the
   * connection within minutes.
   */
  create(accountId: string, connection: NewCarrierConnection, now: Instant): Promise<CarrierConnection | null>;
  /** The changed connection; null when it does not exist, has another version, or would not change. */
  edit(
    accountId: string,
    id: string,
    edit: Partial<Pick<NewCarrierConnection, "credentials" | "active">>,
    options: ConditionalWrite,
  ): Promise<CarrierConnection | null>;
  delete(accountId: string, id: string, options: ConditionalWrite): Promise<boolean>;
  /** Requests a test call; joins the one that is running. False: there is no such connection. */
  requestTest(accountId: string, id: string): Promise<boolean>;
}

/**
 * Pauses or resumes polling with the account's own credentials. False when there is no such connection, or when it
 * already is as requested.
 */
export async function setConnectionActive(
  sql: AccountSql,
  accountId: string,
  id: string,
  { active, nowMs }: { readonly active: boolean; readonly nowMs: number },
): Promise<boolean> {
  return (await sql.rows<Row>(editOne, [accountId, id, instant(nowMs), null, null, active, null])).length > 0;
}

/** Requests a test call; joins the one that is running. False: there is no such connection. */
export async function requestConnectionTest(sql: AccountSql, accountId: string, id: string): Promise<boolean> {
  return (await sql.execute(requestOneTest, [accountId, id])) > 0;
}

export function createCarrierConnectionRepository(sql: AccountSql, box: SecretBox): CarrierConnectionRepository {
  const toConnection = ({ health, lastSuccessAt, lastErrorAt, sealedPushSecret, ...row }: Row): CarrierConnection => ({
    ...row,
    pushSecret: box.open(sealedPushSecret),
    health: { ...health, lastSuccessAt, lastErrorAt },
  });
  const seal = (credentials: CarrierCredentials): Buffer => box.seal(JSON.stringify(credentials));
  return {
    async find(accountId, id) {
      const [row] = await sql.rows<Row>(findOne, [accountId, id]);
      return row ? toConnection(row) : null;
    },
    async findByScac(accountId, scacs) {
      return (await sql.rows<Row>(findByScac, [accountId, scacs])).map(toConnection);
    },
    async list(accountId, page) {
      const found = await listRows<Row>(sql, listSource, accountId, [], page);
      return { ...found, items: found.items.map(toConnection) };
    },
    async create(accountId, { id, scac, credentials, active, pushSecret }, now) {
      const sealed = [seal(credentials), active, box.seal(pushSecret)] as const;
      const values = [accountId, id, now, scac, credentials.kind, ...sealed] as const;
      const [row] = await sql.rows<Row>(insertOne, values);
      return row ? toConnection(row) : null;
    },
    async edit(accountId, id, { credentials, active }, { now, ifVersions }) {
      const sealed = credentials ? seal(credentials) : null;
      const values = [accountId, id, now, credentials?.kind ?? null, sealed, active ?? null, ifVersions] as const;
      const [row] = await sql.rows<Row>(editOne, values);
      return row ? toConnection(row) : null;
    },
    async delete(accountId, id, { now, ifVersions }) {
      return (await sql.rows(deleteOne, [accountId, id, now, ifVersions])).length > 0;
    },
    requestTest(accountId, id) {
      return requestConnectionTest(sql, accountId, id);
    },
  };
}
