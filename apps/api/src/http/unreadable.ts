import type { Fault } from "@svc/jsonapi";
import { uuidV7 } from "@svc/persistence";
import type { RawAnswer, UnreadableRequest } from "@svc/service-kit";
import { errorAnswer, fixedHeaders } from "./send.ts";

const faults: Readonly<Record<UnreadableRequest, Fault>> = {
  malformed: { code: "malformed_document", detail: "This is not an HTTP request that the service can read." },
  headers_too_large: { code: "headers_too_large", detail: "Address and headers together can have at most 16 KiB." },
  timed_out: { code: "request_timeout", detail: "The request did not arrive in time." },
};

/** The answer to what never became a request: an error document like all others. */
export function unreadableAnswer(docsUrl: string): (why: UnreadableRequest) => RawAnswer {
  return (why) => {
    const requestId = uuidV7.next();
    const { status, headers, body } = errorAnswer([faults[why]], { requestId, docsUrl });
    return { status, headers: ["X-Request-Id", requestId, ...fixedHeaders, ...Object.entries(headers).flat()], body };
  };
}
