import type { CallToolResult } from "@modelcontextprotocol/server";
import {
  ApiError,
  AuthenticationError,
  AuthorizationError,
  FeatureNotEnabledError,
  NetworkError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitError,
  SvcError,
  TimeoutError,
  UpstreamError,
} from "@svc/sdk";
import type { Caller } from "../../api/caller.ts";
import { errorCodes, ProtocolError } from "../../protocol/protocol-error.ts";
import { visibleLine } from "../../text/clean-text.ts";

export interface ToolErrorDetails {
  readonly code: string;
  /** Own words: what is wrong, then what to call next. Never text of the API, a carrier or a user. */
  readonly message: string;
  readonly isRetryable?: boolean;
  readonly retryAfterSeconds?: number;
}

/** A failed call, with a message that lets a model correct itself. */
export class ToolError extends Error {
  override name = "ToolError";
  readonly details: ToolErrorDetails;

  constructor(details: ToolErrorDetails) {
    super(`${details.code}: ${details.message}`);
    this.details = details;
  }
}

export function toolErrorResult({ message, details }: ToolError): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: visibleLine(message) }],
    _meta: {
      "svc/error": {
        code: details.code,
        retryable: details.isRetryable ?? false,
        ...(details.retryAfterSeconds !== undefined && { retry_after_s: details.retryAfterSeconds }),
      },
    },
  };
}

/** Refusals that concern the caller and not the call: over HTTP they are the status of the response. */
function toRefusal(error: unknown): ProtocolError | undefined {
  if (error instanceof AuthenticationError) {
    return new ProtocolError(errorCodes.unauthorized, "The API does not accept this token. Send a valid API token.");
  }
  if (error instanceof RateLimitError) {
    const seconds = error.retryAfterSeconds ?? 60;
    const message = `Rate limit reached: wait ${seconds} s, then call again.`;
    return new ProtocolError(errorCodes.rateLimited, message, { retry_after_s: seconds });
  }
  return undefined;
}

/** A failed request to the API outside of tools: completions, prompts, resources. Undefined: an internal error. */
export function toProtocolError(error: unknown): ProtocolError | undefined {
  if (!(error instanceof SvcError)) return undefined;
  return (
    toRefusal(error) ?? new ProtocolError(errorCodes.internal, "The tracking API did not respond. Call again in 5 s.")
  );
}

function reference(error: ApiError): string {
  return error.requestId === undefined ? "" : ` Ref ${error.requestId}`;
}

/** The refused values by the last part of their name: `filter[request_number]`, `/data/attributes/scac`. */
function refusedNames({ faults }: ApiError): string {
  const names = faults.flatMap(({ parameter, pointer }) => {
    const name = /([a-z_]+)\]?(?:\/\d+)*$/.exec(parameter ?? pointer ?? "")?.[1];
    return name === undefined || name === "attributes" ? [] : [name];
  });
  return [...new Set(names)].join(", ") || "these values";
}

/**
 * Translates a failed request to the API for the tool's caller. `notFound`: the tool's message for 404, with the way to
 * find the record. Undefined: an internal error, whose details the caller does not see.
 */
export function toToolError(error: unknown, caller: Caller, notFound: string | undefined): ToolError | undefined {
  if (error instanceof ToolError) return error;
  const refusal = toRefusal(error);
  if (refusal) {
    if (caller.transport === "http") throw refusal;
    const retryAfterSeconds = refusal.data?.retry_after_s as number | undefined;
    return retryAfterSeconds === undefined
      ? new ToolError({ code: "unauthorized", message: "The API does not accept SVC_API_TOKEN. Set a valid token." })
      : new ToolError({ code: "rate_limited", message: refusal.message, isRetryable: true, retryAfterSeconds });
  }
  if (error instanceof NotFoundError && notFound !== undefined) {
    return new ToolError({ code: "not_found", message: notFound });
  }
  if (error instanceof FeatureNotEnabledError) {
    return new ToolError({
      code: "feature_not_enabled",
      message: "This account's plan does not include it. Use get_container_transport_events(id) instead.",
    });
  }
  if (error instanceof AuthorizationError) {
    return new ToolError({
      code: "forbidden",
      message: "This token may not do that. track_container and update_shipment need a token with the scope `write`.",
    });
  }
  if (error instanceof UpstreamError || error instanceof NetworkError || error instanceof TimeoutError) {
    const where = error instanceof ApiError ? reference(error) : "";
    const message = `The tracking API did not respond. It is safe to call again once, in 5 s.${where}`;
    return new ToolError({ code: "upstream_unavailable", message, isRetryable: true, retryAfterSeconds: 5 });
  }
  if (error instanceof PreconditionFailedError) {
    const message = "Others changed it at the same time. Nothing of this step was written; call again.";
    return new ToolError({ code: "conflict", message, isRetryable: true, retryAfterSeconds: 1 });
  }
  if (error instanceof ApiError) {
    const codes = [...new Set(error.faults.flatMap((fault) => fault.code ?? []))].join(", ") || String(error.status);
    const message = `The tracking API refused ${refusedNames(error)} (${codes}). Change that and call again.`;
    return new ToolError({ code: "refused", message: `${message}${reference(error)}` });
  }
  if (error instanceof SvcError) {
    const message = "The tracking API's response cannot be read. Report it to the operator of this server.";
    return new ToolError({ code: "upstream_unreadable", message });
  }
  return undefined;
}
