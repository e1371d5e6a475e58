import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Request, Response } from "express";
import type { Fault } from "../faults/fault.ts";
import { sendDcsaError } from "./dcsa-error.ts";

/** Resolves after the delay, or immediately when the client disconnects or the service stops. */
async function delay(response: Response, seconds: number, stopping: AbortSignal): Promise<void> {
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  const signal = AbortSignal.any([disconnected.signal, stopping]);
  await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
}

/** Applies the fault. Resolves to whether the response is complete; if not, the normal response follows. */
export async function injectFault(
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
      sendDcsaError(
        request,
        response,
        fault.status,
        "sandboxFault",
        ["A fault of the sandbox is in force for this request."],
        now,
      );
      return true;
    case "rate_limit": {
      const until = new Date(Date.now() + fault.retryAfterSeconds * 1000);
      response.set("Retry-After", fault.asDate ? until.toUTCString() : String(fault.retryAfterSeconds));
      sendDcsaError(
        request,
        response,
        429,
        "tooManyRequests",
        ["Rate limit exceeded. Retry after the time in Retry-After."],
        now,
      );
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
