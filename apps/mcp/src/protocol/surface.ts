import type {
  ElicitRequestFormParams,
  Implementation,
  Notification,
  Result,
  ServerCapabilities,
} from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../api/caller.ts";

/** One request: its caller, and how to send the caller notifications before the response. */
export interface Call {
  readonly caller: Caller;
  /** Resolves once the notification is on its way. */
  notify(notification: Notification): Promise<void>;
  /**
   * Asks the user a question whose answer is to accept or not. Absent: the client cannot, or the transport has no way
   * back for the answer.
   */
  ask?(message: string, requestedSchema: ElicitRequestFormParams["requestedSchema"]): Promise<boolean>;
}

/** What a server says of itself and how it answers. The transports know no more of tools, prompts and resources. */
export interface Surface {
  readonly serverInfo: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string;
  /** The result of any request but `initialize` and `ping`. Throws ProtocolError for what is not a result. */
  answer(method: string, params: unknown, call: Call): Promise<Result>;
}
