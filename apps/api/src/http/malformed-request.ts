import type { Fault } from "@svc/jsonapi";
import { uuidV7 } from "@svc/persistence";
import type { RawResponse, RequestFault } from "@svc/service-kit";
import { errorResponse, fixedHeaders } from "./send.ts";

const faults: Readonly<Record<RequestFault, Fault>> = {
  malformed: { code: "malformed_document", detail: "This is not an HTTP request that the service can read." },
  headers_too_large: { code: "headers_too_large", detail: "Address and headers together can have at most 16 KiB." },
  timed_out: { code: "request_timeout", detail: "The request did not arrive in time." },
};

/** Returns the response to a malformed request: an error document like all others. */
export function malformedRequestResponse(docsUrl: string): (fault: RequestFault) => RawResponse {
  return (fault) => {
    const requestId = uuidV7.next();
    const { status, headers, body } = errorResponse([faults[fault]], { requestId, docsUrl });
    return { status, headers: ["X-Request-Id", requestId, ...fixedHeaders, ...Object.entries(headers).flat()], body };
  };
}
