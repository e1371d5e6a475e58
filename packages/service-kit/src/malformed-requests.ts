import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Reason why Node's HTTP parser rejects the input of a connection. */
export type RequestFault = "malformed" | "headers_too_large" | "timed_out";

/** A complete HTTP response. */
export interface RawResponse {
  readonly status: number;
  /** Alternating names and values, without Connection and Content-Length. */
  readonly headers: readonly string[];
  readonly body: string;
}

type Response = ServerResponse & { req: IncomingMessage };

const faults: Readonly<Record<string, RequestFault>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "timed_out",
};

function write(socket: Duplex, { status, headers, body }: RawResponse): void {
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, length, "Connection: close"];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

/**
 * Responds in the service's own form to input that Node's HTTP parser rejects; Node itself sends only a bare status
 * line. The connection closes after the response. Nothing is sent while a response to an earlier request is pending on
 * the connection, because the client would take it for that response.
 */
export function respondToMalformedRequests(server: Server, responseTo: (fault: RequestFault) => RawResponse): void {
  const open = new WeakMap<Duplex, Set<Response>>();
  server.on("request", (request, response) => {
    const { socket } = request;
    const pendingResponses = open.get(socket) ?? new Set();
    open.set(socket, pendingResponses.add(response));
    response.once("close", () => pendingResponses.delete(response));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // An incomplete request is the rejected one itself, so no response is pending for it.
    const isDue = [...(open.get(socket) ?? [])].some((response) => response.headersSent || response.req.complete);
    if (error.code === "ECONNRESET" || !socket.writable || isDue) socket.destroy();
    else write(socket, responseTo(faults[error.code ?? ""] ?? "malformed"));
  });
}
