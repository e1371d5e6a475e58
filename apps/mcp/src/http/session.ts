import { randomUUID } from "node:crypto";
import { isInitializeRequest, type JSONRPCRequest } from "@modelcontextprotocol/server";
import { showsForms } from "../protocol/confirm-write.ts";
import { showsViews } from "../views/views.ts";

/**
 * Feature that a client declares once, in `initialize`, in revisions before 2026-07-28: it shows questions or views to
 * its user. The server keeps no sessions, so the client keeps it: as the session id that it sends with each message,
 * "elicitation+views.<random>". No right depends on it.
 */
type Feature = "elicitation" | "views";

/** The session id for the response to this request; undefined: none is needed. */
export function sessionIdFor(request: JSONRPCRequest): string | undefined {
  if (!isInitializeRequest(request)) return undefined;
  const { capabilities } = request.params;
  const declared: Feature[] = [];
  if (showsForms(capabilities.elicitation)) declared.push("elicitation");
  if (showsViews(capabilities)) declared.push("views");
  return declared.length === 0 ? undefined : `${declared.join("+")}.${randomUUID()}`;
}

export const hasDeclared = (feature: Feature, sessionId: string | undefined): boolean =>
  sessionId?.split(".")[0]?.split("+").includes(feature) ?? false;
