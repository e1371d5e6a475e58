import { type ApiError, type ApiFault, createApiError } from "../errors.ts";

/** Maximum wait, also when the header has a longer one. */
const waitMaxSeconds = 86_400;

/** Seconds from a `Retry-After` of either form; undefined when there is none that makes sense. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs) / 1000);
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(seconds, 0), waitMaxSeconds);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function toFault(value: unknown): ApiFault {
  const error = record(value);
  const source = record(error?.source);
  return {
    code: text(error?.code),
    title: text(error?.title),
    detail: text(error?.detail),
    pointer: text(source?.pointer),
    parameter: text(source?.parameter),
    header: text(source?.header),
    meta: record(error?.meta),
  };
}

/** The typed error of a refused request. A body that is not an error document (a proxy's page) gives no faults. */
export function toApiError(response: Response, body: unknown, nowMs: number): ApiError {
  const errors = record(body)?.errors;
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [];
  return createApiError({
    status: response.status,
    requestId: response.headers.get("x-request-id") ?? text(record(list[0])?.id),
    faults: list.map(toFault),
    retryAfterSeconds: retryAfterSeconds(response.headers.get("retry-after"), nowMs),
  });
}
