import { instant } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { type InboxRequest, storeInboxRequest, type TakenRequest, takeInboxRequest } from "@svc/persistence/inbox";
import express, { type NextFunction, type Request, type Response } from "express";
import type { Services } from "../services.ts";
import { createHangingRequests } from "./hanging-requests.ts";
import { noResponse } from "./inbox-page.ts";

/** Maximum size of a body: more than any notification needs. */
const bodyLimit = "1mb";
const storedBytesMax = 64 * 1024;
const storedHeadersMax = 60;
const storedHeaderLengthMax = 1_000;
const keyShape = /^[\w-]{32}$/;

/** Text without NUL characters, which PostgreSQL cannot store. */
const readable = (bytes: Buffer): string => bytes.toString("utf8").replaceAll("\0", "\ufffd");

function readHeaders(request: Request): Record<string, string> {
  const received = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === "cookie" ? [] : [[name, [value].flat().join(", ").slice(0, storedHeaderLengthMax)]],
  );
  return Object.fromEntries(received.slice(0, storedHeadersMax));
}

function toInboxRequest(request: Request, answer: number): InboxRequest {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return {
    id: uuidV7.next(),
    receivedAt: instant(Date.now()),
    headers: readHeaders(request),
    body: readable(body.subarray(0, storedBytesMax)),
    bodyBytes: body.length,
    answer,
  };
}

/**
 * `POST /inbox/{key}`: a webhook endpoint, delivered to over the network by the same rules as any other. Any sender
 * with the key can post. Requests are shown only on the page of the account.
 */
export function receiveHandlers({ database, stopping }: Pick<Services, "database" | "stopping">) {
  const hangingRequests = createHangingRequests(stopping);

  const sendText = (response: Response, status: number, text: string): void =>
    void response.status(status).type("text/plain").send(`${text}\n`);

  // The body of a request with an unknown key is not read.
  const findOwner = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const key = String(request.params.key);
    const inbox = keyShape.test(key) ? await takeInboxRequest(database.sql, key, instant(Date.now())) : null;
    if (!inbox) return sendText(response, 404, "There is no inbox at this address.");
    if (inbox.waitSeconds !== null) {
      response.set("Retry-After", String(inbox.waitSeconds));
      return sendText(response, 429, "Too many requests.");
    }
    response.locals.inbox = inbox;
    next();
  };

  const receive = async (request: Request, response: Response): Promise<void> => {
    const inbox = response.locals.inbox as TakenRequest;
    const isHanging = inbox.answer === noResponse && hangingRequests.hold(response, inbox.accountId);
    const status = inbox.answer === noResponse && !isHanging ? 503 : inbox.answer;
    await storeInboxRequest(database.tenantSql, inbox.accountId, toInboxRequest(request, status));
    if (isHanging) {
      // The status is for the request log only; no response is sent.
      response.status(408);
      return;
    }
    if (status === 429) response.set("Retry-After", "30");
    sendText(response, status, status === inbox.answer ? "Kept in the inbox." : "Too many requests are held open.");
  };

  const refuseMethod = (_request: Request, response: Response): void =>
    sendText(response, 405, "This address accepts webhooks by POST.");

  return { receive: [findOwner, express.raw({ type: () => true, limit: bodyLimit }), receive], refuseMethod };
}
