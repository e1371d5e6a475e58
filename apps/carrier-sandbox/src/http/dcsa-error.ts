import { STATUS_CODES } from "node:http";
import type { Request, Response } from "express";

/** Sends an error in the format of DCSA Track & Trace 2.2. `errorDateTime` is simulated time. */
export function sendDcsaError(
  request: Request,
  response: Response,
  status: number,
  reason: string,
  messages: readonly string[],
  now: number,
): void {
  response
    .status(status)
    .set("API-Version", "2.2.0")
    .json({
      httpMethod: request.method,
      requestUri: request.originalUrl,
      errors: messages.map((message) => ({ reason, message })),
      statusCode: status,
      statusCodeText: STATUS_CODES[status] ?? "",
      errorDateTime: new Date(now).toISOString(),
    });
}
