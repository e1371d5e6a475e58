import { normalizeContainerNumber } from "@svc/domain/identifiers";
import type { Carrier, CarrierQuery, CarrierReply, ReceivedReply } from "../carrier.ts";
import { HttpExchange } from "../http-exchange.ts";
import { toRefusal, unrecognized } from "../http-refusal.ts";
import { parseJsonBody } from "../json-body.ts";
import type { TerminalConnection } from "./terminal-connection.ts";
import { terminalObservations } from "./terminal-observation.ts";
import { TerminalReport } from "./terminal-report.ts";

/** A terminal or network of terminals with the API `GET …/terminal/v1/containers/{number}`. */
export class TerminalSource implements Carrier {
  /** The code of the connection. */
  readonly scac: string;
  readonly #connection: TerminalConnection;
  readonly #http: HttpExchange;

  constructor(connection: TerminalConnection) {
    this.scac = connection.code;
    this.#connection = connection;
    this.#http = new HttpExchange({ timeoutMs: connection.timeoutMs });
  }

  get addresses(): { readonly baseUrl: string; readonly tokenUrl: null } {
    return { baseUrl: this.#connection.baseUrl, tokenUrl: null };
  }

  /** Whether the source covers a place, given by its UN/LOCODE. */
  serves(locode: string): boolean {
    return this.#connection.locodes?.includes(locode) ?? true;
  }

  /** Sends the query once, without retries. Rejects only when `signal` aborts, with the signal's reason. */
  async track({ number: containerNumber }: CarrierQuery, signal: AbortSignal): Promise<CarrierReply> {
    const { baseUrl, headers, maxBodyBytes } = this.#connection;
    const url = new URL(`${baseUrl}/terminal/v1/containers/${encodeURIComponent(containerNumber)}`);
    const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const sent = { accept: "application/json", "user-agent": "shipment-tracking-service", ...own };
    const response = await this.#http.send({ method: "GET", url, headers: sent, maxBytes: maxBodyBytes }, signal);
    if ("failure" in response) return { outcome: "unreachable", detail: response.failure, fault: response.fault };
    const refusal = toRefusal(response, url.href);
    if (refusal) return refusal;
    if (!response.isComplete) return unrecognized(response, url.href, `larger than ${maxBodyBytes} bytes`);
    return readTerminalReply({ body: response.body, url: url.href, httpStatus: response.status }, containerNumber);
  }

  /** Closes the connections; queries in flight end as unreachable. */
  close(): Promise<void> {
    return this.#http.close();
  }
}

/** Parses a terminal's response. Deterministic, so that a stored reply can be replayed. */
export function readTerminalReply(received: ReceivedReply, containerNumber: string): CarrierReply {
  const report = TerminalReport.safeParse(parseJsonBody(received.body));
  if (!report.success) {
    const place = report.error.issues[0]?.path.join(".") ?? "";
    return { outcome: "unrecognized", ...received, detail: `no terminal report: wrong at ${place || "the top"}` };
  }
  if (normalizeContainerNumber(report.data.containerNumber) !== containerNumber) {
    return { outcome: "unrecognized", ...received, detail: "the report is about another container" };
  }
  const drafts = terminalObservations(report.data, containerNumber);
  return drafts.length === 0
    ? { outcome: "not_found", ...received }
    : { outcome: "found", ...received, drafts, skipped: 0 };
}

/** All connected sources by code. Close each when done. */
export function createTerminals(connections: readonly TerminalConnection[]): ReadonlyMap<string, TerminalSource> {
  return new Map(connections.map((connection) => [connection.code, new TerminalSource(connection)]));
}
