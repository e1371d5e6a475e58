import { randomUUID } from "node:crypto";
import { isInitializeRequest, type JSONRPCRequest } from "@modelcontextprotocol/server";
import { showsForms } from "../protocol/confirm-write.ts";

/**
 * Before 2026-07-28 a client says once, in `initialize`, that it shows questions to its user. The server keeps no
 * sessions, so the client keeps it: as the session id that it sends with each message. No right depends on it.
 */
const prefix = "elicitation.";

/** The session id for the answer to this request; undefined: none is needed. */
export function sessionIdFor(request: JSONRPCRequest): string | undefined {
  if (!isInitializeRequest(request)) return undefined;
  return showsForms(request.params.capabilities.elicitation) ? prefix + randomUUID() : undefined;
}

export const canAsk = (sessionId: string | undefined): boolean => sessionId?.startsWith(prefix) ?? false;
