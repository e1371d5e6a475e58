import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Clock, TrackingError } from "@svc/domain";
import {
  type Database,
  findPushReceiver,
  type PushReceiver,
  type SecretBox,
  storeEventMessage,
  uuidV7,
} from "@svc/persistence";
import type { Logger } from "@svc/service-kit";
import express, { type ErrorRequestHandler, type NextFunction, type Request, type Response, Router } from "express";
import { fixedHeaders } from "../http/fixed-headers.ts";
import { errorAnswer, headersAhead, sendAnswer } from "../http/send.ts";

const compress = promisify(gzip);
const longestBody = "5mb";
const idShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `Notification-Signature: sha256=<hexadecimal HMAC-SHA256 of the body>` with the decoded secret as key. */
function isSignedBy(secret: string, body: Uint8Array, signature: string): boolean {
  const stated = /^sha256=([0-9a-f]{64})$/i.exec(signature.trim())?.[1];
  if (stated === undefined) return false;
  const expected = createHmac("sha256", Buffer.from(secret, "base64")).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(stated, "hex"));
}

/**
 * Where carriers push events: the callback of a DCSA event subscription. It needs no token, because the carrier signs. What is
 * signed is stored as it is and acknowledged; the tracking worker reads it.
 */
export function receiveCarrierEvents(options: {
  readonly database: Database;
  readonly box: SecretBox;
  readonly clock: Clock;
  /** Where error codes are explained. */
  readonly docsUrl: string;
  readonly logger: Logger;
}): Router {
  const { database, box, clock, docsUrl, logger } = options;
  const receiverOf = (id: string) =>
    idShape.test(id) ? findPushReceiver(database.sql, box, id) : Promise.resolve(null);
  const noReceiver = TrackingError.of("not_found", "No carrier connection receives events here.");

  const refuse = (request: Request, response: Response, { faults }: TrackingError): void => {
    const requestId = uuidV7.next();
    headersAhead(response).push("X-Request-Id", requestId, ...fixedHeaders);
    sendAnswer(response, errorAnswer(faults, { requestId, docsUrl, accept: request.headers.accept }));
  };

  const validate = async (request: Request, response: Response): Promise<void> => {
    const receiver = await receiverOf(String(request.params.id));
    response.status(receiver ? 204 : 404).end();
  };

  /** Before the body is read: whoever knows no address here cannot have the process hold megabytes for it. */
  const knowReceiver = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const receiver = await receiverOf(String(request.params.id));
    if (receiver === null) return refuse(request, response, noReceiver);
    response.locals.receiver = receiver;
    next();
  };

  const receive = async (request: Request, response: Response): Promise<void> => {
    const id = String(request.params.id);
    const receiver = response.locals.receiver as PushReceiver;
    const body: Buffer = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const about = { account_id: receiver.accountId, connection_id: id, scac: receiver.scac, bytes: body.byteLength };
    if (!isSignedBy(receiver.secret, body, request.get("Notification-Signature") ?? "")) {
      logger.warn(about, "carrier_events.signature_refused");
      const detail = "Notification-Signature is not the signature of this body with the connection's push_secret.";
      const source = { header: "Notification-Signature" };
      return refuse(request, response, TrackingError.of("unauthorized", detail, { source }));
    }
    const stored = await storeEventMessage(database.tenantSql, receiver.accountId, {
      id: uuidV7.next(),
      channel: "push",
      connectionId: id,
      scac: receiver.scac,
      form: "json",
      receivedAt: clock.now(),
      contentHash: createHash("sha256").update(body).digest(),
      gzippedBody: await compress(body),
    });
    logger.info({ ...about, message_id: stored.id }, "carrier_events.received");
    response.status(204).set("API-Version", "2.2.0").end();
  };

  const failed: ErrorRequestHandler = (error, request, response, _next) => {
    const isTooLarge = (error as { status?: unknown }).status === 413;
    if (!isTooLarge) logger.error({ err: error }, "carrier_events.failed");
    const [code, detail] = isTooLarge
      ? (["payload_too_large", "A push may be 5 MiB. Send fewer events at once."] as const)
      : (["unavailable", "The push could not be stored. Send it again later."] as const);
    refuse(request, response, TrackingError.of(code, detail));
  };

  return Router()
    .head("/:id", (request, response, next) => void validate(request, response).catch(next))
    .post(
      "/:id",
      (request, response, next) => void knowReceiver(request, response, next).catch(next),
      express.raw({ type: () => true, limit: longestBody, inflate: false }),
      (request, response, next) => void receive(request, response).catch(next),
    )
    .use(failed);
}
