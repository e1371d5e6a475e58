import { isJSONRPCResponse } from "@modelcontextprotocol/server";
import type { Dispatcher } from "../protocol/dispatcher.ts";
import type { HttpExchange } from "./http-exchange.ts";

/** Accepts a message without a response of its own: a notification, or the response to an elicitation. */
export async function acceptNotification(
  elicited: Pick<Dispatcher, "resolveElicitation">,
  exchange: HttpExchange,
  message: object,
): Promise<void> {
  if (!(await exchange.isTokenAccepted())) return exchange.refuseToken();
  if (isJSONRPCResponse(message)) elicited.resolveElicitation(message, exchange.token);
  // All others are dropped: there is no session whose work a notification could change.
  exchange.response.status(202).end();
}
