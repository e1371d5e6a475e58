import type { Response } from "express";
import { type Rejection, rejectionBody } from "./rejection.ts";

export function sendJson(response: Response, status: number, body: string): void {
  response
    .status(status)
    .setHeader("Content-Type", "application/json")
    .setHeader("Cache-Control", "no-store")
    .end(body);
}

export function reject(response: Response, rejection: Rejection, id: string | number | null = null): void {
  for (const [name, value] of Object.entries(rejection.headers ?? {})) response.setHeader(name, value);
  sendJson(response, rejection.status, rejectionBody(rejection, id));
}
