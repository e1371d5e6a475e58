import type { CarrierReply, UnrecognizedReply } from "./carrier.ts";
import { type HttpResponse, headerOf } from "./http-exchange.ts";
import { shapeOf } from "./reply-shape.ts";

const refusedBodyBytesMax = 64 * 1024;

/** Enough to diagnose an unreadable body, without storing up to 20 MB per poll. */
export function unrecognized(response: HttpResponse, url: string, detail: string): UnrecognizedReply {
  const body = response.body.subarray(0, refusedBodyBytesMax);
  return { outcome: "unrecognized", body, url, httpStatus: response.status, detail, shape: shapeOf(body) };
}

/** Seconds or an HTTP date (relative to the response's Date, so clocks need not agree). Null when invalid. */
function retryAfterMs(response: HttpResponse): number | null {
  const value = headerOf(response, "retry-after")?.trim();
  if (!value) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  const from = Date.parse(headerOf(response, "date") ?? "");
  if (Number.isNaN(until)) return null;
  return Math.max(0, until - (Number.isNaN(from) ? Date.now() : from));
}

/** How far the server's clock is ahead of that of this process, which credentials with times depend on. */
export function clockDifferenceOf(response: HttpResponse): { readonly clockDifferenceMs?: number } {
  const carrierMs = Date.parse(headerOf(response, "date") ?? "");
  return Number.isNaN(carrierMs) ? {} : { clockDifferenceMs: carrierMs - Date.now() };
}

/** The reply for an error status. Null: parse the body. */
export function toRefusal(response: HttpResponse, url: string): CarrierReply | null {
  const { status } = response;
  const received = { body: response.body.subarray(0, refusedBodyBytesMax), url, httpStatus: status };
  if (status === 204 || status === 404) return { outcome: "not_found", ...received };
  if (status >= 200 && status < 300) return null;
  if (status === 400 || status === 422) return { outcome: "rejected", reason: "invalid_number", ...received };
  if (status === 401 || status === 403) return { outcome: "unauthorized", ...clockDifferenceOf(response), ...received };
  const retryAfter = retryAfterMs(response);
  if (status === 429 || (status === 503 && retryAfter !== null)) {
    return { outcome: "rate_limited", retryAfterMs: retryAfter, ...received };
  }
  if (status >= 500 || status === 408)
    return { outcome: "unreachable", detail: `status ${status}`, httpStatus: status };
  return unrecognized(response, url, `status ${status}`);
}
