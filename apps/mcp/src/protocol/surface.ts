import type { Implementation, Notification, Result, ServerCapabilities } from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../api/caller.ts";

/** One request on its way: who asks, and the way to tell them something before the answer. */
export interface Call {
  readonly caller: Caller;
  /** Resolves once the notification is on its way. */
  notify(notification: Notification): Promise<void>;
}

/** What a server says of itself and how it answers. The transports know no more of tools, prompts and resources. */
export interface Surface {
  readonly serverInfo: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string;
  /** The result of any request but `initialize` and `ping`. Throws ProtocolError for what is not a result. */
  answer(method: string, params: unknown, call: Call): Promise<Result>;
}
