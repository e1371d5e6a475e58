import { createHash } from "node:crypto";
import { TrackingError } from "@svc/domain";
import type { IdempotencyRepository, RememberedAnswer } from "@svc/persistence";

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

const renewEveryMs = 2_000;

export interface IdempotentRequest {
  readonly accountId: string;
  readonly operationId: string;
  /** Path and query, which belong to the request as much as its body does. */
  readonly url: string;
  readonly header: string;
  readonly body: Uint8Array;
}

/**
 * Acts once for all requests with the same key (contract-decisions.md 2): the first answer is kept for 24 hours and sent
 * again. What fails on our side is not kept, so that the client can try again. Throws `TrackingError` for a key
 * that is in use (409) or was used for another request (422).
 */
export async function answerOnce(
  idempotency: IdempotencyRepository,
  request: IdempotentRequest,
  act: () => Promise<RememberedAnswer>,
): Promise<{ answer: RememberedAnswer; replayed: boolean }> {
  const { accountId } = request;
  const keySha256 = sha256(request.operationId, readKey(request.header));
  const claimed = { keySha256, requestSha256: sha256(request.url, request.body) };
  const claim = await idempotency.claim(accountId, claimed);
  if (claim.kind === "answered") return { answer: claim.answer, replayed: true };
  if (claim.kind === "running") {
    throw TrackingError.of("idempotency_in_progress", "The first request with this key is still running.", { source });
  }
  if (claim.kind === "reused") {
    throw TrackingError.of(
      "idempotency_key_reused",
      "This key was used for another request. Use a new key for each request.",
      { source },
    );
  }
  // A renewal that fails is made good by the next one, or the claim ends as it should.
  const renewing = setInterval(() => void idempotency.renew(accountId, claimed).catch(() => undefined), renewEveryMs);
  let answer: RememberedAnswer;
  try {
    answer = await act();
  } catch (error) {
    await idempotency.forget(accountId, keySha256).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewing);
  }
  // The deed is done: a client that is told so needs no memory of it, so a failure to remember must not hide it.
  await idempotency.remember(accountId, keySha256, answer).catch(() => undefined);
  return { answer, replayed: false };
}
