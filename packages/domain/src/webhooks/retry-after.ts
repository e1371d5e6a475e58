import { dayMs, type Instant, toEpochMs } from "../instant.ts";

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The delay of a `Retry-After` header in milliseconds, given in seconds or as an HTTP date (RFC 9110 10.2.3). At most
 * 24 h (docs/contract/decisions.md 5). Null when the header is absent, invalid or in the past.
 */
export function retryAfterMs(header: string | undefined, now: Instant): number | null {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, dayMs);
  if (!httpDate.test(text)) return null;
  const waitMs = Date.parse(text) - toEpochMs(now);
  return waitMs > 0 ? Math.min(waitMs, dayMs) : null;
}
