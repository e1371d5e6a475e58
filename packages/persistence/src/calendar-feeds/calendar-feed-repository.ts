import type { Instant } from "@svc/domain";
import type { SavedView } from "@svc/domain/saved-views";
import { advisoryLocks } from "../advisory-locks.ts";
import { withNames } from "../named-parameters.ts";
import { generateSecret, isSecret, sha256 } from "../secrets.ts";
import { type AccountSql, firstRow, type Sql, type Statement } from "../sql.ts";

/** Maximum number of feeds of a member. */
export const calendarFeedsMax = 20;

/** A calendar of arrivals and last free days (docs/calendar.md). */
export interface CalendarFeed {
  readonly id: string;
  readonly name: string;
  /** Name of the saved view that limits the feed; null: it is not limited. */
  readonly viewName: string | null;
  /** Whether the member still sees that view. If not, the address answers 404. */
  readonly isViewVisible: boolean;
  /** Time of the last reading, accurate to a minute; null: never read. */
  readonly lastReadAt: Instant | null;
  /** Time of the last change of the address. */
  readonly renewedAt: Instant;
  readonly createdAt: Instant;
}

interface NewCalendarFeed {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly viewId: string | null;
}

/** Feed that an address leads to. */
export interface OpenedCalendarFeed {
  readonly accountId: string;
  readonly id: string;
  readonly name: string;
  readonly view: Pick<SavedView, "list" | "filters" | "sort" | "columns"> | null;
}

/** Views that the member sees, of lists with arrivals. */
const isUsable = (userId: string): string =>
  `(v.member_user_id IS NULL OR v.member_user_id = ${userId}::uuid) AND v.list IN ('shipments', 'containers')`;

/** Creations of a member one by one, so that they cannot exceed the limit together. */
const acquireLock: Statement = {
  name: "calendar-feeds.acquire-lock",
  text: `SELECT pg_advisory_xact_lock(hashtextextended($1::text || $2::text, ${advisoryLocks.calendarFeedsByMember}))`,
};

/** Nothing is inserted at the limit, for a view that the member does not see, and for an id that exists. */
const insertOne = withNames(
  {
    name: "calendar-feeds.insert",
    text: `
    INSERT INTO calendar_feeds (account_id, id, user_id, name, token_sha256, view_id, renewed_at, created_at)
    SELECT :accountId::uuid, :id::uuid, :userId::uuid, :name, :tokenSha256, :viewId::uuid, now(), now()
    WHERE (SELECT count(*) FROM calendar_feeds f WHERE f.account_id = :accountId::uuid AND f.user_id = :userId::uuid)
        < ${calendarFeedsMax}
      AND (:viewId::uuid IS NULL OR EXISTS (SELECT FROM saved_views v WHERE v.account_id = :accountId::uuid
        AND v.id = :viewId::uuid AND ${isUsable(":userId")}))
    ON CONFLICT DO NOTHING`,
  },
  ["id", "userId", "name", "tokenSha256", "viewId"],
);

const listAll: Statement = {
  name: "calendar-feeds.list",
  text: `
    SELECT f.id, f.name, v.name AS "viewName",
      f.view_id IS NULL OR COALESCE(${isUsable("$2")}, false) AS "isViewVisible",
      f.last_read_at AS "lastReadAt", f.renewed_at AS "renewedAt", f.created_at AS "createdAt"
    FROM calendar_feeds f LEFT JOIN saved_views v ON v.account_id = f.account_id AND v.id = f.view_id
    WHERE f.account_id = $1 AND f.user_id = $2 ORDER BY f.created_at, f.id`,
};

const renewOne: Statement = {
  name: "calendar-feeds.renew",
  text: `
    UPDATE calendar_feeds SET token_sha256 = $4, renewed_at = now(), last_read_at = NULL
    WHERE account_id = $1 AND user_id = $2 AND id = $3`,
};

const deleteOne: Statement = {
  name: "calendar-feeds.delete",
  text: "DELETE FROM calendar_feeds WHERE account_id = $1 AND user_id = $2 AND id = $3",
};

/** Finds a feed in all accounts, because only the secret identifies it. Records the reading at most once a minute. */
const open: Statement = {
  name: "calendar-feeds.open",
  text: `
    WITH feed AS (
      SELECT f.account_id, f.id, f.name, f.view_id, v.list, v.filters, v.sort, v.columns
      FROM calendar_feeds f JOIN accounts a ON a.id = f.account_id AND a.suspended_at IS NULL AND a.closed_at IS NULL
      LEFT JOIN saved_views v ON v.account_id = f.account_id AND v.id = f.view_id AND ${isUsable("f.user_id")}
      WHERE f.token_sha256 = $1 AND (f.view_id IS NULL OR v.id IS NOT NULL)),
    noted AS (
      UPDATE calendar_feeds f SET last_read_at = now() FROM feed
      WHERE f.account_id = feed.account_id AND f.id = feed.id
        AND (f.last_read_at IS NULL OR f.last_read_at < now() - interval '1 minute'))
    SELECT account_id AS "accountId", id, name, CASE WHEN view_id IS NOT NULL THEN
      jsonb_build_object('list', list, 'filters', filters, 'sort', sort, 'columns', columns) END AS view FROM feed`,
};

const findSecret: Statement = {
  name: "calendar-feeds.find-secret",
  text: "SELECT FROM calendar_feeds WHERE account_id = $1 AND token_sha256 = $2",
};

interface CalendarFeedRepository {
  list(accountId: string, userId: string): Promise<readonly CalendarFeed[]>;
  /** @returns whether the feed has a new secret. False: the member has no such feed. */
  renew(accountId: string, userId: string, id: string, tokenSha256: Buffer): Promise<boolean>;
  /** @returns false: the member has no such feed. */
  delete(accountId: string, userId: string, id: string): Promise<boolean>;
}

/** A secret of 256 bits for the address of a feed, with what is stored of it. */
export function generateCalendarSecret(): { readonly secret: string; readonly tokenSha256: Buffer } {
  const secret = generateSecret();
  return { secret, tokenSha256: sha256(secret) };
}

/**
 * Call it in a transaction.
 * @returns false: the member has the maximum number of feeds or does not see the view, or the id exists.
 */
export async function createCalendarFeed(
  sql: AccountSql,
  accountId: string,
  feed: NewCalendarFeed & { readonly tokenSha256: Buffer },
): Promise<boolean> {
  await sql.rows(acquireLock, [accountId, feed.userId]);
  return (await sql.execute(insertOne, insertOne.values({ accountId, ...feed }))) > 0;
}

/** Whether it is the secret of a feed of the account. Unlike `openCalendarFeed`, this is no reading of the calendar. */
export async function isCalendarSecret(sql: AccountSql, accountId: string, secret: string): Promise<boolean> {
  return (await sql.rows(findSecret, [accountId, sha256(secret)])).length > 0;
}

export function createCalendarFeedRepository(sql: AccountSql): CalendarFeedRepository {
  return {
    list: (accountId, userId) => sql.rows<CalendarFeed>(listAll, [accountId, userId]),
    renew: async (accountId, userId, id, tokenSha256) =>
      (await sql.execute(renewOne, [accountId, userId, id, tokenSha256])) > 0,
    delete: async (accountId, userId, id) => (await sql.execute(deleteOne, [accountId, userId, id])) > 0,
  };
}

/**
 * The feed of a secret. Null alike for a malformed, unknown or renewed secret, for one of a suspended account, and for
 * a feed whose view its member no longer sees.
 */
export async function openCalendarFeed(sql: Sql, secret: string): Promise<OpenedCalendarFeed | null> {
  if (!isSecret(secret)) return null;
  return firstRow(sql.rows<OpenedCalendarFeed>(open, [sha256(secret)]));
}
