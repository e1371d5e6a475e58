import type {
  ElicitRequestFormParams,
  Implementation,
  Notification,
  Result,
  ServerCapabilities,
} from "@modelcontextprotocol/server";
import type { Caller } from "../api/caller.ts";

/** One request: its caller, and how to send the caller notifications before the response. */
export interface Call {
  readonly caller: Caller;
  /** Resolves once the notification is on its way. */
  notify(notification: Notification): Promise<void>;
  /**
   * Metadata that the client sends with each request, such as its capabilities (2026-07-28). Absent in earlier
   * revisions.
   */
  readonly envelope?: Readonly<Record<string, unknown>> | undefined;
  /** The client shows views beside results (MCP Apps). */
  readonly showsViews: boolean;
  /** The client's responses to a result that required input, by the names of the elicitations (2026-07-28). */
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
  /** The state that was sent with the elicitations, as the client returns it (2026-07-28). */
  readonly requestState?: unknown;
  /**
   * Sends an elicitation; true: the user accepts (revisions before 2026-07-28). Not set: the client cannot do so.
   * Rejects when the client does not respond.
   */
  elicit?(message: string, requestedSchema: ElicitRequestFormParams["requestedSchema"]): Promise<boolean>;
}

/** Capabilities and handlers of a server. The transports use nothing else of tools, prompts and resources. */
export interface Surface {
  readonly serverInfo: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string;
  /** Returns the result of a request that the MCP package leaves to us. Throws ProtocolError for an unknown method. */
  handle(method: string, params: unknown, call: Call): Promise<Result>;
}
