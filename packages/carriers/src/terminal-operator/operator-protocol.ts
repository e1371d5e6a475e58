import type { CarrierConnection } from "../carrier-connection.ts";
import type { CarrierProtocol } from "../carrier-protocol.ts";
import { readStoredDocuments } from "./operator-reply.ts";
import type { TerminalApi } from "./terminal-api.ts";
import { TerminalOperator } from "./terminal-operator.ts";

export function operatorProtocol(api: TerminalApi): CarrierProtocol {
  return {
    connect(connection) {
      const operator = new TerminalOperator(connection, api);
      return { carrier: operator, withCredentials: (credentials) => operator.withCredentials(credentials) };
    },
    storedReplyReader({ terminal }: CarrierConnection) {
      return ({ number }, body) => (terminal === null ? null : readStoredDocuments(api, terminal, body, number));
    },
  };
}
