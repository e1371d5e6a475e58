import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import type { SharedContent, ShareLink, ShareLinkStatus } from "@svc/domain/share-links";
import { type Condition, type ListSource, listRows } from "../lists/list-rows.ts";
import { withNames } from "../named-parameters.ts";
import type { SecretBox } from "../secret-box.ts";
import { generateSecret, isSecret, sha256 } from "../secrets.ts";
import { type AccountSql, firstRow, type Sql, type Statement } from "../sql.ts";

const columns = `
  l.id, l.shipment_id AS "shipmentId", s.bill_of_lading_number AS "shipmentNumber", l.sealed_token AS "sealedToken",
  l.shows_references AS "showsReferences", l.shows_fees AS "showsFees", l.created_by_user_id AS "createdByUserId",
  l.expires_at AS "expiresAt", l.revoked_at AS "revokedAt", l.last_opened_at AS "lastOpenedAt",
  l.opened_count AS "openedCount", l.row_version AS "rowVersion", l.created_at AS "createdAt"`;

const joins = "JOIN shipments s ON s.account_id = l.account_id AND s.id = l.shipment_id";

/** Nothing is inserted for a shipment that the account does not have. */
const insertOne = withNames(
  {
    name: "share-links.insert",
    text: `
      WITH l AS (
        INSERT INTO share_links (account_id, id, shipment_id, token_sha256, sealed_token, shows_references, shows_fees,
          created_by_user_id, expires_at, created_at)
        SELECT $1, :id, s.id, :tokenSha256, :sealedToken, :showsReferences, :showsFees, :createdByUserId, :expiresAt,
          :now::timestamptz
        FROM shipments s WHERE s.account_id = $1 AND s.id = :shipmentId
        RETURNING *)
      SELECT ${columns} FROM l ${joins}`,
  },
  [
    "id",
    "shipmentId",
    "tokenSha256",
    "sealedToken",
    "showsReferences",
    "showsFees",
    "createdByUserId",
    "expiresAt",
    "now",
  ],
);

const findOne: Statement = {
  name: "share-links.find",
  text: `SELECT ${columns} FROM share_links l ${joins} WHERE l.account_id = $1 AND l.id = $2`,
};

/** A link that is revoked already stays as it is. */
const revokeOne: Statement = {
  name: "share-links.revoke",
  text: `
    UPDATE share_links l SET revoked_at = COALESCE(l.revoked_at, $3), sealed_token = NULL,
      row_version = l.row_version + (l.revoked_at IS NULL)::int
    WHERE l.account_id = $1 AND l.id = $2 AND ($4::int[] IS NULL OR l.row_version = ANY($4))`,
};

const listSource: ListSource = {
  name: "share-links",
  table: "share_links",
  alias: "l",
  scope: "l.account_id = $1",
  columns,
  joins,
  sortKeys: { created_at: { column: "l.created_at", type: "timestamptz" } },
};

const isActive = "l.revoked_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > now())";
const isExpired = "l.revoked_at IS NULL AND l.expires_at <= now()";

const statusConditions: Readonly<Record<ShareLinkStatus, string>> = {
  active: isActive,
  expired: isExpired,
  revoked: "l.revoked_at IS NOT NULL",
};

/**
 * Finds a link in all accounts, because only the secret identifies it. Also counts the view, at most once a minute: a
 * link that is opened often costs one write a minute. No row for an unknown, revoked or expired link, or one of a
 * suspended account.
 */
const open: Statement = {
  name: "share-links.open",
  text: `
    WITH link AS (
      SELECT l.account_id, l.id, l.shipment_id, l.shows_references, l.shows_fees, l.expires_at, a.company_name,
        a.features
      FROM share_links l JOIN accounts a ON a.id = l.account_id AND a.suspended_at IS NULL
      WHERE l.token_sha256 = $1 AND ${isActive}),
    opened AS (
      UPDATE share_links l SET last_opened_at = now(), opened_count = l.opened_count + 1
      FROM link WHERE l.account_id = link.account_id AND l.id = link.id
        AND (l.last_opened_at IS NULL OR l.last_opened_at < now() - interval '1 minute'))
    SELECT account_id AS "accountId", shipment_id AS "shipmentId", shows_references AS "showsReferences",
      shows_fees AS "showsFees", expires_at AS "expiresAt", company_name AS "companyName", features FROM link`,
};

interface Row extends Omit<ShareLink, "token"> {
  readonly sealedToken: Buffer | null;
}

export interface NewShareLink extends SharedContent {
  readonly id: string;
  readonly shipmentId: string;
  readonly createdByUserId: string | null;
  /** Null: valid until it is revoked. */
  readonly expiresAt: Instant | null;
}

/** Several values of one: any of them; several filters: all. */
export interface ShareLinkFilters {
  readonly shipment?: readonly string[];
  readonly status?: readonly ShareLinkStatus[];
}

/** Shipment that a valid link opens. */
export interface OpenedShareLink extends SharedContent {
  readonly accountId: string;
  readonly shipmentId: string;
  readonly expiresAt: Instant | null;
  /** Name of the account that shares. */
  readonly companyName: string;
  /** Paid features of the account that shares. */
  readonly features: readonly string[];
}

export interface ShareLinkRepository {
  /** Null when the account has no such shipment. */
  create(accountId: string, link: NewShareLink, now: Instant): Promise<ShareLink | null>;
  find(accountId: string, id: string): Promise<ShareLink | null>;
  list(accountId: string, filters: ShareLinkFilters, page: PageRequest<"created_at">): Promise<Page<ShareLink>>;
  /** Whether there is one of such a version. Erases the secret. */
  revoke(
    accountId: string,
    id: string,
    options: { readonly now: Instant; readonly ifVersions: readonly number[] | null },
  ): Promise<boolean>;
}

function conditionsOf({ shipment, status }: ShareLinkFilters): Condition[] {
  const statuses = status?.map((one) => `(${statusConditions[one]})`).join(" OR ");
  return [
    ...(shipment
      ? [{ key: "shipment", value: shipment, sql: (p: string) => `l.shipment_id = ANY(${p}::uuid[])` }]
      : []),
    ...(status
      ? [{ key: "status", value: status, sql: (p: string) => `${p}::text[] IS NOT NULL AND (${statuses})` }]
      : []),
  ];
}

export function createShareLinkRepository(sql: AccountSql, box: SecretBox): ShareLinkRepository {
  const toLink = ({ sealedToken, ...row }: Row): ShareLink => ({ ...row, token: sealedToken && box.open(sealedToken) });
  return {
    async create(accountId, link, now) {
      const secret = generateSecret();
      const secrets = { tokenSha256: sha256(secret), sealedToken: box.seal(secret) };
      const [row] = await sql.rows<Row>(insertOne, insertOne.values({ accountId, ...link, ...secrets, now }));
      return row ? toLink(row) : null;
    },
    async find(accountId, id) {
      const [row] = await sql.rows<Row>(findOne, [accountId, id]);
      return row ? toLink(row) : null;
    },
    async list(accountId, filters, page) {
      const found = await listRows<Row>(sql, listSource, accountId, conditionsOf(filters), page);
      return { ...found, items: found.items.map(toLink) };
    },
    async revoke(accountId, id, { now, ifVersions }) {
      return (await sql.execute(revokeOne, [accountId, id, now, ifVersions])) > 0;
    },
  };
}

/**
 * The content of a link, found by the secret in its address. Null alike for a malformed, unknown, revoked or expired
 * secret, and for one of a suspended or closed account.
 */
export async function openShareLink(sql: Sql, secret: string): Promise<OpenedShareLink | null> {
  if (!isSecret(secret)) return null;
  return firstRow(sql.rows<OpenedShareLink>(open, [sha256(secret)]));
}
