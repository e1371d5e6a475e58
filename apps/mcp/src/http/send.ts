import type { Response } from "express";
import { type Rejection, rejectionBody } from "./rejection.ts";

/** Returns the bytes of the body. */
export function sendJson(response: Response, status: number, body: object): number {
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Content-Length", bytes);
  // The body is sent as text: Node then writes it together with the headers.
  response.end(text);
  return bytes;
}

export function reject(response: Response, rejection: Rejection, id: string | number | null = null): void {
  for (const [name, value] of Object.entries(rejection.headers ?? {})) response.setHeader(name, value);
  sendJson(response, rejection.status, rejectionBody(rejection, id));
}
