import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Why what came over a connection never became a request. */
export type UnreadableRequest = "malformed" | "headers_too_large" | "timed_out";

/** A whole answer. */
export interface RawAnswer {
  readonly status: number;
  /** Names and values in turn, without those of the connection and the body's length. */
  readonly headers: readonly string[];
  readonly body: string;
}

type Response = ServerResponse & { req: IncomingMessage };

const reasons: Readonly<Record<string, UnreadableRequest>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "timed_out",
};

function write(socket: Duplex, { status, headers, body }: RawAnswer): void {
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, length, "Connection: close"];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

/**
 * Answers what Node's parser refuses in the service's own form; without this Node answers with a bare status line. The
 * connection ends with it. While the answer to an earlier request is due there, nothing is said: it would be taken for that one.
 */
export function answerUnreadable(server: Server, answerOf: (why: UnreadableRequest) => RawAnswer): void {
  const open = new WeakMap<Duplex, Set<Response>>();
  server.on("request", (request, response) => {
    const { socket } = request;
    const ofSocket = open.get(socket) ?? new Set();
    open.set(socket, ofSocket.add(response));
    response.once("close", () => ofSocket.delete(response));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A request that has not arrived whole is the one that is refused.
    const isDue = [...(open.get(socket) ?? [])].some((response) => response.headersSent || response.req.complete);
    if (error.code === "ECONNRESET" || !socket.writable || isDue) socket.destroy();
    else write(socket, answerOf(reasons[error.code ?? ""] ?? "malformed"));
  });
}
