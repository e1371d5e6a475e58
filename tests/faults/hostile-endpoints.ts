import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import type { TestAuthority } from "./certificates.ts";
import { drip, type EndpointServers, flood } from "./endpoint-servers.ts";

/** Expected entry of the first attempt in the attempt log. */
export interface Expected {
  readonly outcome: "succeeded" | "failed";
  readonly status: number | null;
  readonly errorClass: string | null;
  /** Maximum duration of the attempt; by default the timeout and a second. */
  readonly withinMs?: number;
}

export interface HostileEndpoint {
  readonly name: string;
  readonly serve: (servers: EndpointServers, authority: TestAuthority) => Promise<string>;
  readonly expected: Expected;
}

const succeeded = (status: number, errorClass: string | null = null): Expected => ({
  outcome: "succeeded",
  status,
  errorClass,
});
const failed = (errorClass: string, status: number | null = null, withinMs?: number): Expected => ({
  outcome: "failed",
  status,
  errorClass,
  ...(withinMs === undefined ? {} : { withinMs }),
});

const ok = "HTTP/1.1 200 OK\r\n";
const zeros = Buffer.alloc(64 * 1024);
const bomb = Buffer.alloc(32 * 1024 * 1024);
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const packed = (encoding: string, body: Buffer) => (servers: EndpointServers) =>
  servers.http((_request, response) => {
    response.writeHead(200, { "content-encoding": encoding }).end(body);
  });

/** Responses that are too large. */
const oversized: readonly HostileEndpoint[] = [
  {
    name: "a body of 1 GB",
    serve: ({ raw }) =>
      raw((socket) => {
        socket.write(`${ok}content-length: 1000000000\r\n\r\n`);
        flood(socket, zeros);
      }),
    expected: succeeded(200),
  },
  {
    name: "chunks without end",
    serve: ({ raw }) =>
      raw((socket) => {
        socket.write(`${ok}transfer-encoding: chunked\r\n\r\n`);
        flood(socket, `4000\r\n${"a".repeat(0x4000)}\r\n`);
      }),
    expected: succeeded(200),
  },
  { name: "a gzip bomb", serve: packed("gzip", gzipSync(bomb)), expected: succeeded(200) },
  { name: "a brotli bomb", serve: packed("br", brotliCompressSync(bomb, quick)), expected: succeeded(200) },
  { name: "a zstd bomb", serve: packed("zstd", zstdCompressSync(bomb)), expected: succeeded(200) },
  {
    name: "10,000 headers",
    serve: ({ raw }) =>
      raw((socket) => {
        socket.write(ok + Array.from({ length: 10_000 }, (_, index) => `x-${index}: y\r\n`).join(""));
        socket.write("\r\n");
      }),
    expected: failed("protocol_error"),
  },
  {
    name: "a header of 1 MB",
    serve: ({ raw }) => raw((socket) => void socket.write(`${ok}x: ${"a".repeat(1_000_000)}\r\n\r\n`)),
    expected: failed("protocol_error"),
  },
];

/** Responses that take too long. */
const slow: readonly HostileEndpoint[] = [
  { name: "no response", serve: ({ raw }) => raw(() => undefined), expected: failed("timeout") },
  {
    name: "headers byte by byte",
    serve: ({ raw }) =>
      raw((socket) => {
        socket.write(ok);
        drip(socket, "x-more: yes\r\n");
      }),
    expected: failed("timeout"),
  },
  {
    name: "a body byte by byte",
    serve: ({ raw }) =>
      raw((socket) => {
        socket.write(`${ok}content-length: 100000\r\n\r\n`);
        drip(socket, "x");
      }),
    expected: failed("timeout", 200),
  },
  {
    name: "endless interim responses",
    serve: ({ raw }) => raw((socket) => flood(socket, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(500))),
    expected: failed("timeout"),
  },
  {
    name: "a TLS handshake that stalls",
    serve: async ({ raw }) => (await raw(() => undefined)).replace("http:", "https:"),
    expected: failed("connect_timeout", null, 6_000),
  },
];

/** Unusual or invalid uses of HTTP. */
const bent: readonly HostileEndpoint[] = [
  {
    name: "103 and then 201",
    serve: ({ raw }) =>
      raw((socket) => {
        socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n");
        socket.write("HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n");
      }),
    expected: succeeded(201),
  },
  {
    name: "an unsolicited 100 Continue",
    serve: ({ raw }) =>
      raw((socket) => void socket.write(`HTTP/1.1 100 Continue\r\n\r\n${ok}content-length: 0\r\n\r\n`)),
    // undici closes the connection on an unsolicited 100; the notification is retried.
    expected: failed("connection_failed"),
  },
  {
    name: "204 with a body",
    serve: ({ raw }) =>
      raw((socket) => void socket.end("HTTP/1.1 204 No Content\r\ncontent-length: 4\r\nconnection: close\r\n\r\nbody")),
    expected: succeeded(204),
  },
  {
    name: "200 before the request was read",
    serve: ({ hasty }) => hasty((socket) => void socket.write(`${ok}content-length: 2\r\n\r\nok`)),
    expected: succeeded(200),
  },
  {
    name: "200 while the body is being sent",
    serve: ({ raw }) => raw((socket) => void socket.write(`${ok}content-length: 2\r\n\r\nok`)),
    expected: succeeded(200),
  },
  {
    name: "a reset in the middle of the body of a 200",
    serve: ({ raw }) =>
      raw((socket) => {
        socket.write(`${ok}content-length: 100\r\n\r\npart`);
        setTimeout(() => socket.resetAndDestroy(), 300);
      }),
    expected: succeeded(200, "connection_failed"),
  },
  {
    name: "a reset instead of a response",
    serve: ({ raw }) => raw((socket) => socket.resetAndDestroy()),
    expected: failed("connection_failed"),
  },
  {
    name: "another protocol",
    serve: ({ raw }) => raw((socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\n")),
    expected: failed("protocol_error"),
  },
];

const tlsOne = { minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;

/** Certificates and TLS versions. The first two are valid. */
const certificates: readonly HostileEndpoint[] = [
  {
    name: "a certificate of its name",
    serve: ({ tls }, { certify }) => tls("localhost", certify("DNS:localhost")),
    expected: succeeded(200),
  },
  {
    name: "a certificate of its address",
    serve: ({ tls }, { certify }) => tls("127.0.0.1", certify("IP:127.0.0.1")),
    expected: succeeded(200),
  },
  {
    name: "a certificate of another name",
    serve: ({ tls }, { certify }) => tls("localhost", certify("DNS:other.example")),
    expected: failed("tls_error"),
  },
  {
    name: "a certificate of another address",
    serve: ({ tls }, { certify }) => tls("127.0.0.1", certify("IP:127.0.0.2")),
    expected: failed("tls_error"),
  },
  {
    name: "a certificate that has expired",
    serve: ({ tls }, { certify }) => tls("localhost", certify("DNS:localhost", -1)),
    expected: failed("tls_error"),
  },
  {
    name: "a self-signed certificate",
    serve: ({ tls }, { selfSigned }) => tls("localhost", selfSigned("DNS:localhost")),
    expected: failed("tls_error"),
  },
  {
    name: "TLS 1.0 at most",
    serve: ({ tls }, { certify }) => tls("localhost", { ...certify("DNS:localhost"), ...tlsOne }),
    expected: failed("tls_error"),
  },
];

export const hostileEndpoints: readonly HostileEndpoint[] = [...oversized, ...slow, ...bent, ...certificates];
