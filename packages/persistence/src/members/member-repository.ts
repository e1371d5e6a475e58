import type { Instant } from "@svc/domain";
import type { DisplayPreferences, MemberRole } from "@svc/domain/members";
import { lockGrantsOfUser } from "../access/lasting-access.ts";
import type { Database } from "../database.ts";
import { firstRow, type Sql, type Statement } from "../sql.ts";

export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly joinedAt: Instant;
  /** Whether the member gets a mail when a note mentions them or an exception is assigned to them. */
  readonly receivesMentionMails: boolean;
}

/** An account in which a user can work. */
export interface OwnAccount {
  readonly accountId: string;
  readonly companyName: string;
  readonly role: MemberRole;
}

const columns = `
  u.id AS "userId", u.email, m.role, COALESCE(m.joined_at, u.created_at) AS "joinedAt",
  m.mention_mails AS "receivesMentionMails"
  FROM memberships m JOIN users u ON u.id = m.user_id`;

const list: Statement = {
  name: "members.list",
  text: `SELECT ${columns} WHERE m.account_id = $1 ORDER BY "joinedAt", u.id`,
};

const find: Statement = {
  name: "members.find",
  text: `SELECT ${columns} WHERE m.account_id = $1 AND m.user_id = $2`,
};

const listAccounts: Statement = {
  name: "members.list-accounts",
  text: `
    SELECT m.account_id AS "accountId", a.company_name AS "companyName", m.role
    FROM memberships m JOIN accounts a ON a.id = m.account_id AND a.suspended_at IS NULL
    WHERE m.user_id = $1 ORDER BY lower(a.company_name), a.id`,
};

/**
 * Never removes the last owner, also when two owners remove each other concurrently: the owners' rows are locked before
 * they are counted. A user without another account is deleted with their sessions, and can be invited again. Access of
 * applications that the member connected ends; of the API tokens that they created those that are named ($3) do.
 */
const remove: Statement = {
  name: "members.remove",
  text: `
    WITH owners AS (SELECT user_id FROM memberships WHERE account_id = $1 AND role = 'owner' FOR UPDATE),
    removed AS (
      DELETE FROM memberships WHERE account_id = $1 AND user_id = $2
        AND (role <> 'owner' OR (SELECT count(*) FROM owners) > 1)
      RETURNING user_id),
    revoked AS (
      UPDATE api_tokens t SET revoked_at = now() FROM removed
      WHERE t.account_id = $1 AND t.created_by_user_id = removed.user_id AND t.revoked_at IS NULL
        AND (t.oauth_grant_id IS NOT NULL OR t.id = ANY ($3::uuid[]))),
    disconnected AS (
      DELETE FROM oauth_records r USING oauth_records g, removed
      WHERE g.account_id = $1 AND g.model = 'Grant' AND r.grant_id = g.grant_id
        AND split_part(g.payload ->> 'accountId', ':', 2) = removed.user_id::text),
    deleted_users AS (
      DELETE FROM users u USING removed WHERE u.id = removed.user_id
        AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id AND m.account_id <> $1))
    SELECT user_id FROM removed`,
};

const passwordHash: Statement = {
  name: "members.password-hash",
  text: `SELECT password_hash AS "passwordHash" FROM users WHERE id = $1`,
};

const setPreferences: Statement = {
  name: "members.set-preferences",
  text: `UPDATE memberships SET date_order = $3, clock = $4, units = $5 WHERE account_id = $1 AND user_id = $2`,
};

const setMentionMails: Statement = {
  name: "members.set-mention-mails",
  text: "UPDATE memberships SET mention_mails = $3 WHERE account_id = $1 AND user_id = $2",
};

/** The members of an account. */
export interface MemberRepository {
  /** Members, oldest first. */
  list(accountId: string): Promise<Member[]>;
  find(accountId: string, userId: string): Promise<Member | null>;
  /** The accounts of a user, without suspended ones, by name. */
  listAccounts(userId: string): Promise<OwnAccount[]>;
  /** Does nothing for a user who is not a member. */
  setPreferences(accountId: string, userId: string, preferences: DisplayPreferences): Promise<void>;
  /** Does nothing for a user who is not a member. After it is disabled, mails that wait are not sent. */
  setMentionMails(accountId: string, userId: string, receives: boolean): Promise<void>;
  findPasswordHash(userId: string): Promise<string | null>;
}

export function createMemberRepository(sql: Sql): MemberRepository {
  return {
    list: (accountId) => sql.rows<Member>(list, [accountId]),
    find: (accountId, userId) => firstRow(sql.rows<Member>(find, [accountId, userId])),
    listAccounts: (userId) => sql.rows<OwnAccount>(listAccounts, [userId]),
    async setPreferences(accountId, userId, { dateOrder, clock, units }) {
      await sql.execute(setPreferences, [accountId, userId, dateOrder, clock, units]);
    },
    async setMentionMails(accountId, userId, receives) {
      await sql.execute(setMentionMails, [accountId, userId, receives]);
    },
    async findPasswordHash(userId) {
      const [user] = await sql.rows<{ passwordHash: string }>(passwordHash, [userId]);
      return user?.passwordHash ?? null;
    },
  };
}

/**
 * Ends the membership, and the access of applications that the member connected. The account keeps the API tokens that
 * the member created, except those to revoke.
 * @returns false, without a change, for a user who is not a member and for the last owner.
 */
export function removeMember(
  database: Pick<Database, "transaction">,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
  revokedTokenIds: readonly string[],
): Promise<boolean> {
  return database.transaction(async (sql) => {
    await sql.rows(lockGrantsOfUser, [userId]);
    return (await sql.rows(remove, [accountId, userId, revokedTokenIds])).length === 1;
  });
}
