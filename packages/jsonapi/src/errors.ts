import { z } from "zod";
import { type ErrorCode, type Fault, statusByCode } from "./tracking-error.ts";

export const errorCodes = Object.keys(statusByCode) as [ErrorCode, ...ErrorCode[]];

const titleByStatus: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

export const ErrorObject = z
  .object({
    id: z
      .string()
      .describe(
        "The request's id, also in X-Request-Id. A response with Idempotency-Replayed has the id of the original request.",
      ),
    links: z.object({ type: z.url().describe("Explanation of this kind of error.") }).optional(),
    status: z.string().describe("The HTTP status of this error."),
    code: z.enum(errorCodes),
    title: z.string(),
    detail: z.string().describe("Explanation of the error and what to do."),
    source: z
      .object({ pointer: z.string(), parameter: z.string(), header: z.string() })
      .partial()
      .optional()
      .describe("A JSON pointer into the request body, a query parameter or a header."),
    meta: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "Error" });

export const ErrorDocument = z.object({ errors: z.array(ErrorObject).min(1) }).meta({ id: "ErrorDocument" });
export type ErrorDocument = z.infer<typeof ErrorDocument>;

/** The status of the response: that of its errors, or 400 when they differ. */
export function statusOf(faults: readonly [Fault, ...Fault[]]): number {
  const statuses = new Set(faults.map((fault) => statusByCode[fault.code]));
  return statuses.size === 1 ? statusByCode[faults[0].code] : 400;
}

/** Context of an error document. */
export interface ErrorContext {
  readonly requestId: string;
  /** URL of the page that explains all codes; not set: errors have no link. */
  readonly docsUrl?: string;
}

/** The fragment identifier of the explanation of a code. */
export const errorAnchor = (code: ErrorCode): string => `error-${code}`;

function errorObject(fault: Fault, { requestId, docsUrl }: ErrorContext): z.infer<typeof ErrorObject> {
  const { code, detail, source, meta } = fault;
  const status = statusByCode[code];
  const type = fault.type ?? (docsUrl && `${docsUrl}#${errorAnchor(code)}`);
  return {
    id: requestId,
    ...(type && { links: { type } }),
    status: String(status),
    code,
    title: titleByStatus[status] ?? "Error",
    detail,
    ...(source && { source }),
    ...(meta && { meta }),
  };
}

/**
 * The faults as JSON:API error objects, at most `errorsMax`, so that a small request cannot cause a response of many
 * megabytes. The last one reports how many are omitted, including those that were not collected.
 */
export function toErrorDocument(faults: readonly Fault[], context: ErrorContext, errorsMax = 100): ErrorDocument {
  const errors = faults.slice(0, errorsMax).map((fault) => errorObject(fault, context));
  const last = errors.at(-1);
  const leftOutBefore = faults.at(-1)?.meta?.errors_left_out;
  const leftOut = faults.length - errors.length + (typeof leftOutBefore === "number" ? leftOutBefore : 0);
  if (last && leftOut > 0) errors[errors.length - 1] = { ...last, meta: { ...last.meta, errors_left_out: leftOut } };
  return { errors };
}
