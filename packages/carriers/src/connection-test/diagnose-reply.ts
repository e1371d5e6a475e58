import type { ConnectionTestCode } from "@svc/domain/carrier-connections";
import type { CarrierReply } from "../carrier.ts";
import { shapeOf } from "../reply-shape.ts";

/** Conclusion about the connection from the reply to a test call. */
export interface Diagnosis {
  readonly code: ConnectionTestCode;
  /** The server that sent the reply, or did not. */
  readonly server: "token_endpoint" | "api";
  readonly httpStatus: number | null;
  /** Whether the carrier knows the test container. */
  readonly isFound: boolean;
  /** Time by which the carrier's clock is ahead of this one, for rejected credentials; null: not known. */
  readonly clockDifferenceMs: number | null;
}

const isRedirect = (status: number | undefined): boolean => status !== undefined && status >= 300 && status < 400;

function codeOf(reply: CarrierReply): ConnectionTestCode {
  switch (reply.outcome) {
    case "found":
      return "accepted";
    case "not_found": {
      // A web page behind 404 is not of an API, and an error with status 200 is no empty list of events.
      const shape = shapeOf(reply.body);
      if (shape === "html") return "not_json";
      return shape === "error" && reply.httpStatus === 200 ? "error_in_response" : "accepted";
    }
    case "unauthorized":
      return "credentials_rejected";
    case "rejected":
      return "request_rejected";
    case "rate_limited":
      return "rate_limited";
    case "unreachable": {
      if (reply.fault !== undefined) return reply.fault;
      const { httpStatus } = reply;
      if (httpStatus === undefined) return "not_offered";
      if (isRedirect(httpStatus)) return "redirected";
      return httpStatus >= 500 || httpStatus === 408 ? "carrier_error" : "unexpected_status";
    }
    case "unrecognized":
      if (isRedirect(reply.httpStatus)) return "redirected";
      if (reply.shape === "html") return "not_json";
      if (reply.shape === "error" && reply.httpStatus < 300) return "error_in_response";
      return reply.httpStatus < 300 ? "unreadable_response" : "unexpected_status";
  }
}

export function diagnoseReply(reply: CarrierReply): Diagnosis {
  return {
    code: codeOf(reply),
    server: reply.isOfTokenEndpoint ? "token_endpoint" : "api",
    httpStatus: reply.httpStatus ?? null,
    isFound: reply.outcome === "found",
    clockDifferenceMs: (reply.outcome === "unauthorized" ? reply.clockDifferenceMs : undefined) ?? null,
  };
}
