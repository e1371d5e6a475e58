import { type AccountSql, createSecretBox, type Sql, sha256 } from "@svc/persistence";
import { createIdempotencyRepository, type IdempotencyRequest } from "@svc/persistence/idempotency";

/** A form that creates a record with a secret: the user, the id of the record, and everything else it submits. */
interface SecretForm {
  readonly accountId: string;
  readonly userId: string;
  readonly id: string;
  readonly fields: object;
}

/** Creates a record whose secret is shown once, and shows it again if the same form is submitted again. */
export interface SecretReplays {
  /**
   * @param transaction the one in which `create` inserts the record. The insert waits for that of a concurrent request.
   * @param create returns null, without a change, when the record exists.
   * @returns what the first request with the form returned; null for another form, after 24 hours, or without a key.
   */
  createOnce<T extends object>(
    transaction: AccountSql,
    form: SecretForm,
    create: () => Promise<T | null>,
  ): Promise<T | null>;
}

const requestOf = ({ userId, id, fields }: SecretForm): IdempotencyRequest => ({
  keySha256: sha256(`form\n${userId}\n${id}`),
  requestSha256: sha256(JSON.stringify(fields)),
});

/** @param secretKey encrypts the stored secrets. Without it, a form that is submitted again shows no secret. */
export function createSecretReplays(sql: Sql, secretKey: string | undefined): SecretReplays {
  if (secretKey === undefined) return { createOnce: (_transaction, _form, create) => create() };
  const responses = createIdempotencyRepository(sql, createSecretBox(secretKey));
  return {
    async createOnce<T extends object>(transaction: AccountSql, form: SecretForm, create: () => Promise<T | null>) {
      const request = requestOf(form);
      const created = await create();
      if (created !== null) {
        const response = { status: 201, headers: {}, body: JSON.stringify(created) };
        await responses.store(transaction, form.accountId, request, response);
        return created;
      }
      const state = await responses.findOrLock(transaction, form.accountId, request);
      return state.kind === "stored" ? (JSON.parse(state.response.body) as T) : null;
    },
  };
}
