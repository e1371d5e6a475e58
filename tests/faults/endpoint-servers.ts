import { createServer, type Server as HttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

/** Endpoints whose raw bytes a test controls. `close` stops all of them. */
export interface EndpointServers {
  /** Sends after the first bytes of a request have arrived. @returns its URL. */
  raw(speak: (socket: Socket) => void): Promise<string>;
  /** Sends as soon as a connection is open. */
  hasty(speak: (socket: Socket) => void): Promise<string>;
  http(listener: RequestListener): Promise<string>;
  /** HTTPS under `host`; returns 200. */
  tls(host: string, options: TlsOptions): Promise<string>;
  close(): void;
}

export function createEndpointServers(): EndpointServers {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const listen = async (server: Server | HttpServer): Promise<number> => {
    servers.push(server);
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  const plain = async (server: Server | HttpServer) => `http://127.0.0.1:${await listen(server)}/hook`;
  return {
    raw: (speak) => plain(createTcpServer((socket) => void socket.once("data", () => speak(socket)))),
    hasty: (speak) => plain(createTcpServer((socket) => speak(socket.resume()))),
    http: (listener) => plain(createServer(listener)),
    async tls(host, options) {
      const server = createTlsServer(options, (socket) => {
        socket.on("error", () => undefined);
        socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"));
      });
      server.on("tlsClientError", () => undefined);
      return `https://${host}:${await listen(server)}/hook`;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      for (const server of servers) server.close();
    },
  };
}

/** Writes one byte of the text every 200 ms, repeating the text endlessly. */
export function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text.charAt(at++ % text.length)), 200);
  socket.once("close", () => clearInterval(timer));
}

/** Writes the same bytes endlessly, as fast as they are read. */
export function flood(socket: Socket, bytes: string | Buffer): void {
  const more = () => {
    for (let burst = 0; burst < 64; burst += 1) {
      if (socket.destroyed) return;
      if (!socket.write(bytes)) return void socket.once("drain", more);
    }
    setImmediate(more);
  };
  more();
}
