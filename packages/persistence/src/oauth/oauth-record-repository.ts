import type { Instant } from "@svc/domain";
import { withNames } from "../named-parameters.ts";
import { sha256 } from "../secrets.ts";
import type { Sql, Statement } from "../sql.ts";
import type { TokenScope } from "../tokens/token-repository.ts";

/** A record of the authorization server, found by its identifier, of which only the SHA-256 is stored. */
export interface OAuthRecord {
  /** The kind of record, as the authorization server names it: "Client", "Grant", "RefreshToken", … */
  readonly model: string;
  readonly id: string;
  /** Null for what belongs to no account: clients, and sessions before the user has signed in. */
  readonly accountId: string | null;
  readonly grantId: string | null;
  readonly uid: string | null;
  readonly payload: object;
  readonly expiresAt: Instant | null;
}

/** An access token is also an API token, so that the API authenticates both in the same way. */
export interface OAuthAccessToken extends OAuthRecord {
  readonly accountId: string;
  readonly grantId: string;
  readonly apiToken: {
    readonly id: string;
    readonly name: string;
    readonly scopes: readonly TokenScope[];
    readonly userId: string;
  };
}

/** An application that a user gave access to the account. */
export interface ConnectedApplication {
  readonly grantId: string;
  readonly clientId: string;
  /** The application's own name; null when it gives none, or gives it in its metadata document. */
  readonly clientName: string | null;
  readonly connectedBy: string | null;
  readonly scopes: readonly TokenScope[];
  readonly connectedAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** Old records are removed when new ones are stored, a few at a time. */
const insert: Statement = {
  name: "oauth-records.store",
  text: `
    WITH expired AS (
      DELETE FROM oauth_records WHERE (model, id_sha256) IN (
        SELECT model, id_sha256 FROM oauth_records WHERE expires_at < now() - interval '1 day' LIMIT 20
        FOR UPDATE SKIP LOCKED))
    INSERT INTO oauth_records (model, id_sha256, account_id, grant_id, uid, payload, expires_at, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, now())
    ON CONFLICT (model, id_sha256) DO UPDATE SET account_id = EXCLUDED.account_id, grant_id = EXCLUDED.grant_id,
      uid = EXCLUDED.uid, payload = EXCLUDED.payload, expires_at = EXCLUDED.expires_at`,
};

/** Stores a token with the member's role at this moment, and deletes the expired access tokens of the grant. */
const insertApiToken = withNames(
  {
    name: "oauth-records.store-api-token",
    text: `
    WITH expired AS (DELETE FROM api_tokens WHERE oauth_grant_id = :grantId AND expires_at < now())
    INSERT INTO api_tokens
      (account_id, id, name, hint, token_sha256, scopes, role, created_by_user_id, oauth_grant_id, expires_at,
       created_at)
    SELECT m.account_id, :id, :name, :hint, :tokenSha256, :scopes, m.role, m.user_id, :grantId, :expiresAt, now()
    FROM memberships m WHERE m.account_id = :accountId AND m.user_id = :userId FOR SHARE
    ON CONFLICT (token_sha256) DO NOTHING`,
  },
  ["id", "name", "hint", "tokenSha256", "scopes", "userId", "grantId", "expiresAt"],
);

/** A client that no user gives access to is removed after a day; one with a grant stays. */
const retainClient: Statement = {
  name: "oauth-records.keep-client",
  text: "UPDATE oauth_records SET expires_at = NULL WHERE model = 'Client' AND id_sha256 = $1",
};

const find: Statement = {
  name: "oauth-records.find",
  text: `
    SELECT payload FROM oauth_records
    WHERE model = $1 AND id_sha256 = $2 AND (expires_at IS NULL OR expires_at > now())`,
};

const findByUid: Statement = {
  name: "oauth-records.find-by-uid",
  text: `
    SELECT payload FROM oauth_records
    WHERE uid = $2 AND model = $1 AND (expires_at IS NULL OR expires_at > now()) LIMIT 1`,
};

const consume: Statement = {
  name: "oauth-records.consume",
  text: `
    UPDATE oauth_records SET payload = payload || jsonb_build_object('consumed', $3::int)
    WHERE model = $1 AND id_sha256 = $2 AND NOT payload ? 'consumed' RETURNING model`,
};

const remove: Statement = {
  name: "oauth-records.remove",
  text: `
    WITH revoked AS (UPDATE api_tokens SET revoked_at = now() WHERE token_sha256 = $2 AND $1 = 'AccessToken')
    DELETE FROM oauth_records WHERE model = $1 AND id_sha256 = $2`,
};

const removeGrant: Statement = {
  name: "oauth-records.remove-grant",
  text: `
    WITH revoked AS (UPDATE api_tokens SET revoked_at = now() WHERE oauth_grant_id = $1 AND revoked_at IS NULL)
    DELETE FROM oauth_records WHERE grant_id = $1`,
};

/** For the time in which a token is stored: the end of the grant waits, and then revokes this token as well. */
const shareGrant: Statement = {
  name: "oauth-records.share-grant",
  text: "SELECT model FROM oauth_records WHERE grant_id = $2 AND account_id = $1 AND model = 'Grant' FOR SHARE",
};

/** A statement before the removal, which must see the tokens that were stored until the lock was acquired. */
const lockGrant: Statement = {
  name: "oauth-records.lock-grant",
  text: `
    SELECT model FROM oauth_records
    WHERE grant_id = $1 AND account_id = COALESCE($2::uuid, account_id) AND model = 'Grant' FOR UPDATE`,
};

const connected: Statement = {
  name: "oauth-records.connected-applications",
  text: `
    SELECT application.grant_id AS "grantId", application.payload ->> 'clientId' AS "clientId",
      client.payload ->> 'client_name' AS "clientName", u.email AS "connectedBy",
      ARRAY(
        SELECT DISTINCT unnest(string_to_array(value, ' ')) FROM jsonb_each_text(application.payload -> 'resources')
        ORDER BY 1) AS scopes,
      application.created_at AS "connectedAt",
      (SELECT max(t.last_used_at) FROM api_tokens t WHERE t.oauth_grant_id = application.grant_id) AS "lastUsedAt"
    FROM oauth_records application
    LEFT JOIN oauth_records client ON client.model = 'Client'
      AND client.id_sha256 = sha256(convert_to(application.payload ->> 'clientId', 'UTF8'))
    LEFT JOIN users u ON u.id::text = split_part(application.payload ->> 'accountId', ':', 2)
    WHERE application.account_id = $1 AND application.model = 'Grant'
      AND (application.expires_at IS NULL OR application.expires_at > now())
    ORDER BY application.created_at DESC LIMIT 100`,
};

export interface OAuthRecordRepository {
  /** Stores a record; replaces one with the same model and identifier. */
  store(record: OAuthRecord): Promise<void>;
  /** False when its grant has ended; nothing is stored then. */
  storeAccessToken(token: OAuthAccessToken): Promise<boolean>;
  /** The grant of a user: from now on its client is kept. */
  storeGrant(record: OAuthRecord, clientId: string): Promise<void>;
  /** Null when there is none, or it has expired. */
  find(model: string, id: string): Promise<object | null>;
  findByUid(model: string, uid: string): Promise<object | null>;
  /** Marks a code or refresh token as used. False when it was used before, or is gone. */
  consume(model: string, id: string, atEpochSeconds: number): Promise<boolean>;
  /** An access token is refused from now on. */
  remove(model: string, id: string): Promise<void>;
  /** The grant, and its codes and tokens: all are refused from now on. */
  removeGrant(grantId: string): Promise<void>;
  /** The newest 100. */
  listConnected(accountId: string): Promise<ConnectedApplication[]>;
  /** False when the account has no such grant. */
  disconnect(accountId: string, grantId: string): Promise<boolean>;
}

/** The statements see all accounts: whose a token is, is known only after it is found. */
export function createOAuthRecordRepository(database: {
  readonly sql: Sql;
  readonly transaction: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
}): OAuthRecordRepository {
  const { sql } = database;

  const storeBy = async (by: Sql, record: OAuthRecord): Promise<void> => {
    const { model, id, accountId, grantId, uid, payload, expiresAt } = record;
    await by.execute(insert, [model, sha256(id), accountId, grantId, uid, JSON.stringify(payload), expiresAt]);
  };
  const first = async (statement: Statement, values: readonly unknown[]): Promise<object | null> =>
    (await sql.rows<{ readonly payload: object }>(statement, values))[0]?.payload ?? null;

  /** @param accountId null: of any account. @returns whether there was such a grant. */
  const endGrant = (grantId: string, accountId: string | null): Promise<boolean> =>
    database.transaction(async (by) => {
      const [grant] = await by.rows(lockGrant, [grantId, accountId]);
      if (grant || accountId === null) await by.execute(removeGrant, [grantId]);
      return grant !== undefined;
    });

  return {
    store: (record) => storeBy(sql, record),
    storeAccessToken: (token) =>
      database.transaction(async (by) => {
        const { id, accountId, grantId, apiToken, expiresAt } = token;
        const [grant] = await by.rows(shareGrant, [accountId, grantId]);
        if (!grant) return false;
        await storeBy(by, token);
        const secret = { hint: id.slice(-4), tokenSha256: sha256(id) };
        await by.execute(
          insertApiToken,
          insertApiToken.values({ ...apiToken, ...secret, accountId, grantId, expiresAt }),
        );
        return true;
      }),
    storeGrant: (record, clientId) =>
      database.transaction(async (by) => {
        await storeBy(by, record);
        await by.execute(retainClient, [sha256(clientId)]);
      }),
    find: (model, id) => first(find, [model, sha256(id)]),
    findByUid: (model, uid) => first(findByUid, [model, uid]),
    consume: async (model, id, at) => (await sql.execute(consume, [model, sha256(id), at])) === 1,
    remove: async (model, id) => void (await sql.execute(remove, [model, sha256(id)])),
    removeGrant: async (grantId) => void (await endGrant(grantId, null)),
    listConnected: (accountId) => sql.rows<ConnectedApplication>(connected, [accountId]),
    disconnect: (accountId, grantId) => endGrant(grantId, accountId),
  };
}
