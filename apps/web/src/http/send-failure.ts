import { type Fault, statusByCode, statusOf, TrackingError, toErrorDocument } from "@svc/jsonapi";
import { isDatabaseUnavailable } from "@svc/persistence";
import { ApiError, SvcError } from "@svc/sdk";
import type { Logger } from "@svc/service-kit";
import type { NextFunction, Request, Response } from "express";
import type { Caller } from "../access/callers.ts";
import { messagePage } from "../pages/message-page.ts";
import { resubmitForm } from "../pages/resubmit-form.ts";
import { localPath, requestedPath } from "./local-path.ts";
import { wantsJson } from "./read-request.ts";
import { requestIdOf, routeOf } from "./request-log.ts";
import { sendPage } from "./send-page.ts";

type Faults = readonly [Fault, ...Fault[]];

const secondsToWait = (error: ApiError): number => error.retryAfterSeconds ?? 60;

/** Message for an error of the API. Its validation errors are shown at the fields of forms. */
function faultOfApi(error: SvcError): Fault {
  if (!(error instanceof ApiError)) {
    return { code: "unavailable", detail: "The API is not available. Try again soon." };
  }
  if (error.status === 404) return { code: "not_found", detail: "No record with this id." };
  if (error.status === 401) return { code: "unauthorized", detail: "Your session has ended. Sign in again." };
  if (error.status === 403) return { code: "forbidden", detail: "Your account does not include this." };
  if (error.status === 429) {
    return { code: "rate_limited", detail: `Too many requests at once. Try again in ${secondsToWait(error)} seconds.` };
  }
  if (error.status >= 500) return { code: "unavailable", detail: "The API is not available. Try again soon." };
  if (error.hasCode("idempotency_in_progress")) {
    const detail = "The first request of this form is still running. Send it again: it is carried out once.";
    return { code: "idempotency_in_progress", detail };
  }
  return { code: "invalid", detail: error.faults[0]?.detail ?? "The request is not valid." };
}

/** Message for an error. Texts that were not written for the caller are not shown. */
function faultsOf(error: unknown): Faults {
  if (error instanceof TrackingError) return error.faults;
  if (isDatabaseUnavailable(error)) {
    return [{ code: "unavailable", detail: "The service is not available. Try again soon." }];
  }
  if (error instanceof SvcError) return [faultOfApi(error)];
  const { status } = error as { status?: unknown };
  if (status === 413) return [{ code: "payload_too_large", detail: "The form is too large." }];
  if (typeof status === "number" && status >= 400 && status < 500) {
    return [{ code: "malformed_document", detail: "The request cannot be read." }];
  }
  return [{ code: "internal", detail: "An internal error occurred and was logged." }];
}

/** How a page of a temporary error repeats the request: a link, or a form with the submitted values. */
function retryOf(request: Request, { code }: Fault, status: number) {
  const passes = status === 429 || status >= 500 || code === "idempotency_in_progress";
  if (!passes) return {};
  const path = localPath(requestedPath(request), "/shipments");
  return request.method === "GET" ? { retryPath: path } : { retryForm: resubmitForm(path, request.body, "submitter") };
}

const callerOf = (response: Response): Caller | null => (response.locals.caller as Caller | undefined) ?? null;

/** Sends errors as JSON:API to a program and as a page to a browser. */
export function sendFaults(request: Request, response: Response, faults: Faults): void {
  const requestId = requestIdOf(response);
  const status = statusOf(faults);
  if (status === 401) response.set("WWW-Authenticate", "Token");
  const retryAfter = faults[0].meta?.retry_after;
  if (typeof retryAfter === "number") response.set("Retry-After", String(retryAfter));
  if (!wantsJson(request)) {
    const { title, detail } = {
      ...toErrorDocument(faults, { requestId }).errors[0],
      title: titles[status] ?? "Bad request",
    };
    const retry = retryOf(request, faults[0], status);
    sendPage(
      response,
      status,
      messagePage({ title, text: detail ?? "", requestId, caller: callerOf(response), ...retry }),
    );
    return;
  }
  response
    .status(status)
    .set("Content-Type", "application/vnd.api+json")
    .end(JSON.stringify(toErrorDocument(faults, { requestId })));
}

const titles: Readonly<Record<number, string>> = {
  401: "Not signed in",
  403: "Not allowed",
  404: "Not found",
  405: "Method not allowed",
  409: "Still being saved",
  413: "Too large",
  429: "Too many requests",
  500: "Something went wrong",
  503: "Not available",
};

/** The last error handler of Express. */
export function createFailureHandler(logger: Logger) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    const faults = faultsOf(error);
    if (statusByCode[faults[0].code] >= 500) {
      logger.error({ err: error, route: routeOf(request), request_id: requestIdOf(response) }, "request.failed");
    }
    if (response.headersSent) {
      next(error);
      return;
    }
    if (error instanceof ApiError && error.status === 429) response.set("Retry-After", String(secondsToWait(error)));
    sendFaults(request, response, faults);
  };
}
