import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Clock } from "@svc/domain";
import { isUuid } from "@svc/domain/identifiers";
import { TrackingError } from "@svc/jsonapi";
import { type Database, type SecretBox, uuidV7 } from "@svc/persistence";
import {
  findPushReceiver,
  type PushReceiver,
  storeEventMessage,
  waitingMessagesMax,
} from "@svc/persistence/event-messages";
import { clientAddress, type Logger, networkOf } from "@svc/service-kit";
import type { Request, Response } from "express";
import type { Mounted } from "../http/create-router.ts";
import { readBytes } from "../http/read-body.ts";
import type { RequestLog } from "../http/request-log.ts";
import { headersAhead, sendResponse } from "../http/send.ts";
import type { InvalidTokenLimit } from "../rate-limits/invalid-token-limit.ts";
import { type RateLimits, rateLimitHeaders } from "../rate-limits/rate-limits.ts";

const compress = promisify(gzip);
const bodyBytesMax = 5_242_880;
/** Pushes read at once from addresses beyond the limit of unsigned pushes: one of them may be the carrier's proxy. */
const suspectReadsMax = 2;

/** In lower case, as the limit of pushes counts by it. */
const connectionIdOf = (request: Request): string => String(request.params.id).toLowerCase();

/** `Notification-Signature: sha256=<hexadecimal HMAC-SHA256 of the body>`; null: absent or malformed. */
function readSignature(request: Request): Buffer | null {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(request.get("Notification-Signature")?.trim() ?? "")?.[1];
  return hex === undefined ? null : Buffer.from(hex, "hex");
}

/** The key is the decoded secret. */
function isSignedBy(secret: string, body: Uint8Array, signature: Buffer): boolean {
  const expected = createHmac("sha256", Buffer.from(secret, "base64")).update(body).digest();
  return timingSafeEqual(expected, signature);
}

const waitSeconds = 30;

/** The account's quota of messages that the tracking worker has not processed yet. */
export function tooManyMessagesWait(): TrackingError {
  const detail = `${waitingMessagesMax} pushes and imports of this account wait to be processed. Retry in ${waitSeconds} s.`;
  return TrackingError.of("rate_limited", detail, { meta: { retry_after: waitSeconds } });
}

interface CarrierEventsOptions {
  readonly database: Database;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  readonly invalidTokens: InvalidTokenLimit;
  readonly trustedProxyCount: number;
  readonly logger: Logger;
}

/**
 * Receives the events that carriers push: the callback of a DCSA event subscription. It needs no token, because the
 * carrier signs. A signed message is stored unchanged and acknowledged; the tracking worker parses it. Unsigned and
 * wrongly signed pushes count, like requests without a valid token, for the address of their client.
 */
export function receiveCarrierEvents(options: CarrierEventsOptions): readonly Mounted[] {
  const { database, box, rateLimits, logger } = options;
  const { readBody, refuse } = limitUnsignedPushes(options);

  const receiverAt = async (request: Request): Promise<PushReceiver> => {
    const id = connectionIdOf(request);
    const receiver = isUuid(id) ? await findPushReceiver(database.sql, box, id) : null;
    const notFound = TrackingError.of("not_found", "No carrier connection receives events here.");
    return receiver ?? refuse(request, notFound);
  };

  const validate = async (request: Request, response: Response): Promise<void> => {
    await receiverAt(request);
    acknowledge(response);
  };

  const takePermit = async (connectionId: string, response: Response): Promise<void> => {
    const limit = await rateLimits.take("push", connectionId);
    headersAhead(response).push(...rateLimitHeaders(limit));
    if (limit.accepted) return;
    throw TrackingError.of("rate_limited", `The limit is ${limit.limit} pushes a minute. Bundle more events in each.`);
  };

  const receive = async (request: Request, response: Response): Promise<void> => {
    // Before the body is read: an unknown address must not make the process buffer megabytes.
    const receiver = await receiverAt(request);
    const log = response.locals.log as RequestLog;
    log.accountId = receiver.accountId;
    const signature = readSignature(request);
    const body = signature === null ? null : await readBody(request);
    const id = connectionIdOf(request);
    const about = {
      request_id: log.requestId,
      account_id: receiver.accountId,
      connection_id: id,
      scac: receiver.scac,
      bytes: body?.byteLength ?? 0,
    };
    if (signature === null || body === null || !isSignedBy(receiver.secret, body, signature)) {
      logger.warn(about, "carrier_events.signature_refused");
      return refuse(request, wrongSignature());
    }
    // Only signed pushes count, so that unsigned ones cannot use up the limit of the carrier.
    await takePermit(id, response);
    const messageId = await storePush(options, receiver, id, body);
    logger.info({ ...about, message_id: messageId }, "carrier_events.received");
    acknowledge(response);
  };

  return [
    { method: "head", operationId: "validateCarrierEventsCallback", serve: validate },
    { method: "post", operationId: "receiveCarrierEvents", serve: receive },
  ];
}

/** Limits the pushes, by the address of their client, that are not signed or wrongly. */
function limitUnsignedPushes({ invalidTokens, trustedProxyCount }: CarrierEventsOptions) {
  let suspectReads = 0;
  const networkAt = (request: Request): string => networkOf(clientAddress(request, trustedProxyCount));
  const tooManyUnsigned = (wait: number): TrackingError =>
    TrackingError.of(
      "rate_limited",
      `Limit of ${invalidTokens.limit} requests per minute without a valid signature from this address exceeded. Sign the body with the connection's push_secret. Signed pushes are not counted. Retry without a signature after ${wait} s.`,
      { source: { header: "Notification-Signature" }, meta: { retry_after: wait } },
    );
  return {
    /** Reads few bodies at once from an address that sends unsigned pushes: each has up to 5 MiB. */
    async readBody(request: Request): Promise<Buffer> {
      const wait = invalidTokens.waitSeconds(networkAt(request));
      if (wait === null) return readBytes(request, bodyBytesMax);
      if (suspectReads >= suspectReadsMax) throw tooManyUnsigned(wait);
      suspectReads++;
      try {
        return await readBytes(request, bodyBytesMax);
      } finally {
        suspectReads--;
      }
    },
    /** Throws `refusal`, or `rate_limited` beyond the limit of the client's address. */
    async refuse(request: Request, refusal: TrackingError): Promise<never> {
      const wait = await invalidTokens.count(networkAt(request));
      if (wait === null) throw refusal;
      throw tooManyUnsigned(wait);
    },
  };
}

function wrongSignature(): TrackingError {
  const detail = "Notification-Signature is not the signature of this body with the connection's push_secret.";
  return TrackingError.of("unauthorized", detail, { source: { header: "Notification-Signature" } });
}

/** @returns the id of the message. Throws `rate_limited` beyond the quota of the account. */
async function storePush(
  { database, clock }: CarrierEventsOptions,
  { accountId, scac }: PushReceiver,
  connectionId: string,
  body: Uint8Array,
): Promise<string> {
  const stored = await storeEventMessage(database.tenantSql, accountId, {
    id: uuidV7.next(),
    channel: "push",
    connectionId,
    scac,
    form: "json",
    receivedAt: clock.now(),
    contentHash: createHash("sha256").update(body).digest(),
    gzippedBody: await compress(body),
  });
  if (stored === null) throw tooManyMessagesWait();
  return stored.id;
}

/** Sends 204 with the version of DCSA's API in `API-Version`, as the carrier expects. */
function acknowledge(response: Response): void {
  const ahead = headersAhead(response);
  ahead[ahead.indexOf("API-Version") + 1] = "2.2.0";
  sendResponse(response, { status: 204, headers: {}, body: "" });
}
