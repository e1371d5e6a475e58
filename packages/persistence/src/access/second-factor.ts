import { randomBytes } from "node:crypto";
import type { Instant } from "@svc/domain";
import type { Database } from "../database.ts";
import type { SecretBox } from "../secret-box.ts";
import { sha256 } from "../secrets.ts";
import { firstRow, type Sql, type Statement } from "../sql.ts";

const recoveryCodeCount = 10;
/** 80 bits, so that the hashes in a stolen database cannot be reversed by trying. */
const recoveryCodeBytes = 10;
const base32 = "abcdefghijklmnopqrstuvwxyz234567";

/** How a user stands with the second factor. */
export interface SecondFactor {
  /** Null: begun, and not confirmed by a code. */
  readonly confirmedAt: Instant | null;
  /** Recovery codes that were not used. */
  readonly recoveryCodes: number;
}

const find: Statement = {
  name: "second-factor.find",
  text: `
    SELECT t.confirmed_at AS "confirmedAt",
      (SELECT count(*)::int FROM recovery_codes c WHERE c.user_id = t.user_id AND c.used_at IS NULL) AS "recoveryCodes"
    FROM user_totp t WHERE t.user_id = $1`,
};

const findSecret: Statement = {
  name: "second-factor.secret",
  text: `SELECT sealed_secret AS sealed FROM user_totp WHERE user_id = $1 AND (confirmed_at IS NOT NULL) = $2`,
};

/** Begins again with another secret; does nothing once a code confirmed it. */
const begin: Statement = {
  name: "second-factor.begin",
  text: `
    INSERT INTO user_totp (user_id, sealed_secret, created_at) VALUES ($1, $2, now())
    ON CONFLICT (user_id) DO UPDATE SET sealed_secret = EXCLUDED.sealed_secret, created_at = EXCLUDED.created_at
    WHERE user_totp.confirmed_at IS NULL`,
};

const confirm: Statement = {
  name: "second-factor.confirm",
  text: `
    UPDATE user_totp SET confirmed_at = now(), last_step = $2
    WHERE user_id = $1 AND confirmed_at IS NULL AND sealed_secret = $3 RETURNING user_id`,
};

/** Accepts a code of a step once: also of two concurrent sign-ins with one code only one succeeds. */
const acceptStep: Statement = {
  name: "second-factor.accept-step",
  text: `
    UPDATE user_totp SET last_step = $2
    WHERE user_id = $1 AND confirmed_at IS NOT NULL AND (last_step IS NULL OR last_step < $2) RETURNING user_id`,
};

const useCode: Statement = {
  name: "second-factor.use-code",
  text: `
    UPDATE recovery_codes c SET used_at = now() FROM user_totp t
    WHERE c.user_id = $1 AND c.code_sha256 = $2 AND c.used_at IS NULL AND t.user_id = c.user_id
      AND t.confirmed_at IS NOT NULL
    RETURNING c.user_id`,
};

/** Locks the second factor, so that of two concurrent replacements the codes of one remain. */
const lock: Statement = {
  name: "second-factor.lock",
  text: "SELECT user_id FROM user_totp WHERE user_id = $1 FOR UPDATE",
};

const removeCodes: Statement = {
  name: "second-factor.remove-codes",
  text: "DELETE FROM recovery_codes WHERE user_id = $1",
};

const insertCodes: Statement = {
  name: "second-factor.insert-codes",
  text: `
    INSERT INTO recovery_codes (user_id, code_sha256)
    SELECT t.user_id, code FROM user_totp t, unnest($2::bytea[]) AS code
    WHERE t.user_id = $1 AND t.confirmed_at IS NOT NULL
    RETURNING user_id`,
};

const remove: Statement = {
  name: "second-factor.remove",
  text: "DELETE FROM user_totp WHERE user_id = $1 RETURNING user_id",
};

const cancel: Statement = {
  name: "second-factor.cancel",
  text: "DELETE FROM user_totp WHERE user_id = $1 AND confirmed_at IS NULL",
};

const removeByEmail: Statement = {
  name: "second-factor.remove-by-email",
  text: `
    WITH found AS (SELECT id, email FROM users WHERE lower(email) = lower($1)),
    removed AS (DELETE FROM user_totp t USING found WHERE t.user_id = found.id RETURNING t.confirmed_at)
    SELECT found.email, EXISTS (SELECT FROM removed WHERE confirmed_at IS NOT NULL) AS "wasOn" FROM found`,
};

/** "abcd-efgh-ijkl-mnop". */
function generateRecoveryCode(): string {
  const bits = [...randomBytes(recoveryCodeBytes)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = (bits.match(/.{5}/g) ?? []).map((five) => base32[Number.parseInt(five, 2)]).join("");
  return (letters.match(/.{4}/g) ?? []).join("-");
}

/** Hash of a code as typed: in any case, with or without hyphens and spaces. */
const hashCode = (code: string): Buffer => sha256(code.toLowerCase().replaceAll(/[\s-]/g, ""));

async function replaceCodes(sql: Sql, userId: string): Promise<string[] | null> {
  const codes = Array.from({ length: recoveryCodeCount }, generateRecoveryCode);
  await sql.rows(lock, [userId]);
  await sql.execute(removeCodes, [userId]);
  return (await sql.rows(insertCodes, [userId, codes.map(hashCode)])).length > 0 ? codes : null;
}

/** One-time passwords and recovery codes of users. The secret is encrypted, codes are stored as hashes. */
export interface SecondFactorRepository {
  /** Null: off. */
  find(userId: string): Promise<SecondFactor | null>;
  /** Stores a new secret, which a code has to confirm. Does nothing when one is confirmed. */
  begin(userId: string, secret: string): Promise<void>;
  /** The secret that no code confirmed yet, or the confirmed one. Throws when no key decrypts it. */
  findSecret(userId: string, state: "begun" | "confirmed"): Promise<string | null>;
  /** Drops a secret that no code confirmed. */
  cancel(userId: string): Promise<void>;
  /**
   * Turns it on for the secret that was begun, by the code of a step, which is used up.
   * @returns the recovery codes, which are not stored; null when another secret was begun, or one is confirmed.
   */
  confirm(userId: string, secret: string, step: number): Promise<string[] | null>;
  /** Whether the code of this step was not used before, nor one of a later step. */
  acceptStep(userId: string, step: number): Promise<boolean>;
  /** Whether this is a recovery code of the user that was not used before. */
  useRecoveryCode(userId: string, code: string): Promise<boolean>;
  /** New recovery codes in place of all others; null when it is off. */
  replaceRecoveryCodes(userId: string): Promise<string[] | null>;
  remove(userId: string): Promise<void>;
}

export function createSecondFactorRepository(
  database: Pick<Database, "sql" | "transaction">,
  box: SecretBox,
): SecondFactorRepository {
  const { sql } = database;
  const findSealed = async (run: Sql, userId: string, state: "begun" | "confirmed"): Promise<Buffer | null> =>
    (await run.rows<{ sealed: Buffer }>(findSecret, [userId, state === "confirmed"]))[0]?.sealed ?? null;
  return {
    find: (userId) => findSecondFactor(sql, userId),
    async begin(userId, secret) {
      await sql.execute(begin, [userId, box.seal(secret)]);
    },
    async findSecret(userId, state) {
      const sealed = await findSealed(sql, userId, state);
      return sealed && box.open(sealed);
    },
    async cancel(userId) {
      await sql.execute(cancel, [userId]);
    },
    confirm: (userId, secret, step) =>
      database.transaction(async (run) => {
        const sealed = await findSealed(run, userId, "begun");
        if (!sealed || box.open(sealed) !== secret) return null;
        const confirmed = await run.rows(confirm, [userId, step, sealed]);
        return confirmed.length === 1 ? replaceCodes(run, userId) : null;
      }),
    acceptStep: async (userId, step) => (await sql.rows(acceptStep, [userId, step])).length === 1,
    useRecoveryCode: async (userId, code) => (await sql.rows(useCode, [userId, hashCode(code)])).length === 1,
    replaceRecoveryCodes: (userId) => database.transaction((run) => replaceCodes(run, userId)),
    async remove(userId) {
      await sql.rows(remove, [userId]);
    },
  };
}

/** Finds the second factor without the key that the secrets are encrypted with. Null: off. */
export function findSecondFactor(sql: Sql, userId: string): Promise<SecondFactor | null> {
  return firstRow(sql.rows<SecondFactor>(find, [userId]));
}

/** Removes the second factor of a user who lost the device, for the operator. Null when no user has the address. */
export function resetSecondFactor(
  sql: Sql,
  email: string,
): Promise<{ readonly email: string; readonly wasOn: boolean } | null> {
  return firstRow(sql.rows<{ email: string; wasOn: boolean }>(removeByEmail, [email]));
}
