import type { ObservationDraft } from "@svc/domain/observations";
import type { CarrierConnection } from "./carrier-connection.ts";
import type { StoredQuery, StoredReading } from "./carrier-protocol.ts";
import { catalogue } from "./catalogue/catalogue.ts";
import type { PlaceLookup } from "./place-lookup.ts";
import { protocols } from "./protocols.ts";
import { readTerminalReply } from "./terminal/terminal-source.ts";
import { testCarrier } from "./test-carrier/test-carrier.ts";

/** The query that a stored reply answers. */
export interface StoredQuestion extends StoredQuery {
  /** The SCAC of the carrier, or the code of the terminal. */
  readonly scac: string;
}

/** Parses a stored body as when it was received; null: its carrier is not configured, or the body is invalid. */
export type StoredReplyReader = (question: StoredQuestion, body: Uint8Array) => StoredReading | null;

/** Reads with the current connections, because the quirks of a carrier determine how its replies are read. */
export function createStoredReplyReader(
  connections: readonly CarrierConnection[],
  places: PlaceLookup,
): StoredReplyReader {
  const readers = new Map(
    connections.map((connection) => [
      connection.scac,
      protocols[connection.protocol].storedReplyReader(connection, places),
    ]),
  );
  return (question, body) => {
    const isCarrierReply = connections.some(
      ({ scac, terminal, arrivalNoticesUrl }) =>
        scac === question.scac && (terminal !== null || arrivalNoticesUrl !== null),
    );
    if (question.kind === "terminal_container" && !isCarrierReply) return readTerminal(body, question.number);
    if (question.scac === testCarrier.scac)
      return { drafts: JSON.parse(decodeText(body)) as ObservationDraft[], skipped: 0 };
    const carrier = catalogue.find(({ aliases }) => aliases.includes(question.scac))?.scac ?? "";
    return (readers.get(question.scac) ?? readers.get(carrier))?.(question, body) ?? null;
  };
}

function readTerminal(body: Uint8Array, number: string): StoredReading | null {
  const reply = readTerminalReply({ body, url: "", httpStatus: 200 }, number);
  return reply.outcome === "found" ? reply : null;
}

function decodeText(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}
