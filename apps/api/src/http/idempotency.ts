import { createHash } from "node:crypto";
import { TrackingError } from "@svc/jsonapi";
import type { IdempotencyRequest, KeyState, StoredResponse } from "@svc/persistence/idempotency";
import type { Services } from "../services.ts";

const keyShape = /^[\x20-\x7e]{1,255}$/;
const source = { header: "Idempotency-Key" };

/** The key itself: the header draft has it in quotes, most clients send it bare. */
function readKey(header: string): string {
  const key = header.trim().replace(/^"(.*)"$/, "$1");
  if (keyShape.test(key)) return key;
  throw TrackingError.of("invalid_parameter", "Idempotency-Key takes 1 to 255 printable ASCII characters.", { source });
}

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part).update("\n");
  return digest.digest();
};

export interface IdempotentRequest {
  readonly accountId: string;
  readonly operationId: string;
  /** Path and query, which belong to the request as much as its body does. */
  readonly url: string;
  readonly header: string;
  readonly body: Uint8Array;
}

export interface OnceResult {
  readonly response: StoredResponse;
  readonly replayed: boolean;
}

/** Returns the response, also a refusal; rejects with what failed on our side. */
type Act = (services: Services) => Promise<StoredResponse>;

function storedResponseOf(state: KeyState): StoredResponse | null {
  if (state.kind === "stored") return state.response;
  if (state.kind === "running") {
    throw TrackingError.of("idempotency_in_progress", "The first request with this key is still running.", { source });
  }
  if (state.kind === "reused") {
    throw TrackingError.of(
      "idempotency_key_reused",
      "This key was used for another request. Use a new key for each request.",
      { source },
    );
  }
  return null;
}

const keyOf = (request: IdempotentRequest): IdempotencyRequest => ({
  keySha256: sha256(request.operationId, readKey(request.header)),
  requestSha256: sha256(request.url, request.body),
});

/**
 * Acts once for all requests with the same key (docs/contract/decisions.md 2): the first response is stored for 24
 * hours and replayed. Write and response are one transaction, so a process that dies cannot leave one without the
 * other. The response to an internal error is not stored, so that the client can retry. Throws `TrackingError` for a
 * key that is in use (409) or was used for another request (422).
 */
export async function runOnce(services: Services, request: IdempotentRequest, act: Act): Promise<OnceResult> {
  const { accountId } = request;
  const key = keyOf(request);
  return services.transaction(accountId, async (transaction, tx) => {
    const { idempotency } = services;
    const stored = storedResponseOf(await idempotency.findOrLock(transaction, accountId, key));
    if (stored) return { response: stored, replayed: true };
    const response = await act(tx);
    await idempotency.store(transaction, accountId, key, response);
    return { response, replayed: false };
  });
}

/**
 * Lease of a key, longer than any side effect outside the transaction. The key of a dead process stays in use that
 * long.
 */
const reservedForSeconds = 60;

/**
 * Acts once, like `runOnce`, with a side effect outside the transaction, which would hold a database connection
 * until the other service responds. When the process dies in between, the next request repeats the side effect.
 */
export async function runOnceWithSideEffect(
  services: Services,
  request: IdempotentRequest,
  act: Act,
): Promise<OnceResult> {
  const { accountId } = request;
  const key = keyOf(request);
  const { idempotency, transaction } = services;
  const storedOrReservation = await transaction(accountId, async (sql) => {
    const stored = storedResponseOf(await idempotency.findOrLock(sql, accountId, key));
    return stored ?? (await idempotency.reserve(sql, accountId, key, reservedForSeconds));
  });
  if (typeof storedOrReservation !== "string") return { response: storedOrReservation, replayed: true };
  try {
    const response = await act(services);
    await transaction(accountId, (sql) => idempotency.store(sql, accountId, key, response));
    return { response, replayed: false };
  } catch (error) {
    await transaction(accountId, (sql) => idempotency.release(sql, accountId, key, storedOrReservation)).catch(
      () => undefined,
    );
    throw error;
  }
}
