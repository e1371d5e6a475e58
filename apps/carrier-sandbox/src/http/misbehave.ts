import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Request, Response } from "express";
import type { Fault } from "../faults/fault.ts";
import { sendDcsaError } from "./dcsa-error.ts";

/** Resolves after the time, or at once when the client goes away or the service stops. */
async function delay(response: Response, seconds: number, stopping: AbortSignal): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, stopping]);
  await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
}

/**
 * Answers as the fault says. Resolves to true when the answer is given; to false when the right answer is still to be
 * sent.
 */
export async function misbehave(
  fault: Fault,
  request: Request,
  response: Response,
  now: number,
  stopping: AbortSignal,
): Promise<boolean> {
  switch (fault.kind) {
    case "slow":
      await delay(response, fault.seconds, stopping);
      return response.destroyed;
    case "status":
      if (fault.retryAfterSeconds !== undefined) response.set("Retry-After", String(fault.retryAfterSeconds));
      sendDcsaError(request, response, fault.status, "sandboxFault", ["The sandbox was told to fail."], now);
      return true;
    case "rate_limit": {
      const until = new Date(Date.now() + fault.retryAfterSeconds * 1000);
      response.set("Retry-After", fault.asDate ? until.toUTCString() : String(fault.retryAfterSeconds));
      sendDcsaError(request, response, 429, "tooManyRequests", ["Ask again later."], now);
      return true;
    }
    case "html":
      response.status(200).type("html").send("<!doctype html><title>Maintenance</title><p>We will be back soon.</p>");
      return true;
    case "truncated":
      response.status(200).type("json").send('[{"eventID":"3cecb101-7a1a-43a4-9d62');
      return true;
    case "reset":
      request.socket.destroy();
      await once(response, "close");
      return true;
  }
}
