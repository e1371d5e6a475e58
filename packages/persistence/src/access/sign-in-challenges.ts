import type { SessionIdentity } from "../sessions/provider-logout.ts";
import type { SignInMethod } from "../sessions/session-repository.ts";
import type { Sql, Statement } from "../sql.ts";

/** Codes that may be tried before the password is asked for again. */
const attemptsMax = 5;
const lastsMinutes = 10;

/** Deletes the user's expired ones in the same statement, so that the table does not grow without limit. */
const insert: Statement = {
  name: "sign-in-challenges.insert",
  text: `
    WITH over AS (DELETE FROM sign_in_challenges WHERE user_id = $2 AND expires_at <= now())
    INSERT INTO sign_in_challenges (token_sha256, user_id, expires_at, method, issuer, subject, provider_session)
    VALUES ($1, $2, now() + $3::int * interval '1 minute', $4, $5, $6, $7)`,
};

const find: Statement = {
  name: "sign-in-challenges.find",
  text: `
    SELECT user_id AS "userId" FROM sign_in_challenges
    WHERE token_sha256 = $1 AND expires_at > now() AND attempts < $2`,
};

/** Counted before the code is verified, so that codes sent at the same time count too. */
const begin: Statement = {
  name: "sign-in-challenges.begin",
  text: `
    UPDATE sign_in_challenges SET attempts = attempts + 1
    WHERE token_sha256 = $1 AND expires_at > now() AND attempts < $2 RETURNING user_id AS "userId"`,
};

const remove: Statement = {
  name: "sign-in-challenges.remove",
  text: `
    DELETE FROM sign_in_challenges WHERE token_sha256 = $1
    RETURNING method, issuer, subject, provider_session AS "providerSession"`,
};

/** How a user signs in; `identity`: null for a password. */
export interface FirstStep {
  readonly method: SignInMethod;
  readonly identity: SessionIdentity | null;
}

interface RemovedRow {
  readonly method: SignInMethod;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly providerSession: string | null;
}

/** A sign-in whose password was right, or which a provider confirmed. It lasts ten minutes, and five codes. */
export interface SignInChallenges {
  create(tokenSha256: Buffer, userId: string, firstStep: FirstStep): Promise<void>;
  /** The user. Null when it is unknown or over. */
  find(tokenSha256: Buffer): Promise<string | null>;
  /** Counts an attempt. Null when it is unknown or over. */
  begin(tokenSha256: Buffer): Promise<string | null>;
  /** How the user signs in. Null when it is over: of two concurrent ones with right codes, one starts a session. */
  remove(tokenSha256: Buffer): Promise<FirstStep | null>;
}

export function createSignInChallenges(sql: Sql): SignInChallenges {
  return {
    async create(tokenSha256, userId, { method, identity }) {
      const { issuer = null, subject = null, providerSession = null } = identity ?? {};
      await sql.execute(insert, [tokenSha256, userId, lastsMinutes, method, issuer, subject, providerSession]);
    },
    async find(tokenSha256) {
      return (await sql.rows<{ userId: string }>(find, [tokenSha256, attemptsMax]))[0]?.userId ?? null;
    },
    async begin(tokenSha256) {
      return (await sql.rows<{ userId: string }>(begin, [tokenSha256, attemptsMax]))[0]?.userId ?? null;
    },
    async remove(tokenSha256) {
      const [removed] = await sql.rows<RemovedRow>(remove, [tokenSha256]);
      if (!removed) return null;
      const { method, issuer, subject, providerSession } = removed;
      return { method, identity: issuer === null || subject === null ? null : { issuer, subject, providerSession } };
    },
  };
}
