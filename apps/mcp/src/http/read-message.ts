import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { type Rejection, rejections } from "./rejection.ts";

export type ReadMessage =
  | { readonly kind: "request"; readonly request: JSONRPCRequest }
  /** A notification, or an answer to a question that this server never asks. */
  | { readonly kind: "notice"; readonly method: string }
  | { readonly kind: "rejected"; readonly rejection: Rejection };

const rejected = (rejection: Rejection): ReadMessage => ({ kind: "rejected", rejection });

/** What the body says. */
export function readMessage(body: Buffer): ReadMessage {
  let message: unknown;
  try {
    message = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return rejected(rejections.json);
  }
  if (Array.isArray(message)) return rejected(rejections.batch);
  if (isJSONRPCRequest(message)) return { kind: "request", request: message };
  if (isJSONRPCNotification(message)) return { kind: "notice", method: message.method };
  if (isJSONRPCResponse(message)) return { kind: "notice", method: "response" };
  return rejected(rejections.message);
}
