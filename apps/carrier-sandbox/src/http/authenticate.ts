import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import { sendDcsaError } from "./dcsa-error.ts";

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Refuses requests without the valid `Consumer-Key` header by 401. */
export function authenticate(consumerKey: string, now: () => number): RequestHandler {
  const expected = digest(consumerKey);
  return (request, response, next) => {
    if (timingSafeEqual(digest(request.get("Consumer-Key") ?? ""), expected)) next();
    else sendDcsaError(request, response, 401, "unauthorized", ["Send a valid key in the header Consumer-Key."], now());
  };
}
