import { type AccountSql, createSecretBox, type Sql, sha256 } from "@svc/persistence";
import { createIdempotencyRepository, type IdempotencyRequest } from "@svc/persistence/idempotency";

/** A form that creates a record with a secret: the user, the id of the record, and everything else it submits. */
interface SecretForm {
  readonly accountId: string;
  readonly userId: string;
  readonly id: string;
  readonly fields: object;
}

interface Creation<T> {
  /** Inserts the record. Null, without a change, when it exists. */
  readonly create: () => Promise<T | null>;
  /** Whether the secret of the first request still gives access. */
  readonly isValid: (created: T) => Promise<boolean>;
}

/** Creates a record whose secret is shown once, and shows it again if the same form is submitted again. */
export interface SecretReplays {
  /**
   * @param transaction the one in which the record is inserted. The insert waits for that of a concurrent request.
   * @returns what the first request with the form returned; null for another form, after 24 hours, without a key, or
   * when its secret no longer gives access.
   */
  createOnce<T extends object>(transaction: AccountSql, form: SecretForm, creation: Creation<T>): Promise<T | null>;
}

const requestOf = ({ userId, id, fields }: SecretForm): IdempotencyRequest => ({
  keySha256: sha256(`form\n${userId}\n${id}`),
  requestSha256: sha256(JSON.stringify(fields)),
});

/** @param secretKey encrypts the stored secrets. Without it, a form that is submitted again shows no secret. */
export function createSecretReplays(sql: Sql, secretKey: string | undefined): SecretReplays {
  if (secretKey === undefined) return { createOnce: (_transaction, _form, { create }) => create() };
  const responses = createIdempotencyRepository(sql, createSecretBox(secretKey));
  return {
    async createOnce<T extends object>(transaction: AccountSql, form: SecretForm, { create, isValid }: Creation<T>) {
      const request = requestOf(form);
      const created = await create();
      if (created !== null) {
        const response = { status: 201, headers: {}, body: JSON.stringify(created) };
        await responses.store(transaction, form.accountId, request, response);
        return created;
      }
      const state = await responses.findOrLock(transaction, form.accountId, request);
      if (state.kind !== "stored") return null;
      const first: T = JSON.parse(state.response.body);
      return (await isValid(first)) ? first : null;
    },
  };
}
