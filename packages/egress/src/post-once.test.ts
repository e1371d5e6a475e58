import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "@jest/globals";
import { createEgressAgent, type EgressAgent } from "./egress-agent.ts";
import { postOnce, responseStatus } from "./post-once.ts";

const local = { allowInsecureTargets: true };
const strict = { allowInsecureTargets: false };
const closers: (() => unknown)[] = [];

afterAll(async () => {
  for (const close of closers) await close();
});

function agentWith(policy: typeof local, resolve?: (host: string) => Promise<readonly string[]>): EgressAgent {
  const agent = createEgressAgent({ ...policy, ...(resolve ? { resolve } : {}) });
  closers.push(() => agent.destroy());
  return agent;
}

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

const httpServer = (listener: RequestListener) => listening(createServer(listener));

/** Sends raw bytes after a complete request. */
const rawServer = (speak: (socket: Socket) => void) =>
  listening(
    createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => speak(socket));
    }),
  );

const post = (port: number, agent = agentWith(local)) =>
  postOnce(agent, local, { url: `http://127.0.0.1:${port}/hook`, headers: {}, body: "{}" });

const drip = (socket: Socket, text: string) => {
  let at = 0;
  const timer = setInterval(() => socket.write(text.charAt(at++ % text.length)), 200);
  socket.on("close", () => clearInterval(timer));
};

describe("responses", () => {
  test.each([200, 201, 202, 204, 205, 400, 410, 429, 500, 503])("status %d is reported as it is", async (status) => {
    const port = await httpServer((_request, response) => response.writeHead(status).end());
    expect(await post(port)).toMatchObject({ status, error: null });
  });

  test.each([301, 302, 303, 307, 308])("a redirect (%d) is a response and is not followed", async (status) => {
    let visited = 0;
    const target = await httpServer((_request, response) => {
      visited += 1;
      response.end();
    });
    const port = await httpServer((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${target}/` }).end();
    });
    expect(await post(port)).toMatchObject({ status, error: null });
    expect(visited).toBe(0);
  });

  test("a compressed body is not decoded, and only its first 4 KiB are kept", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const packed = await httpServer((request, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "x-asked": request.headers["accept-encoding"] }).end(bomb);
    });
    const { body, headers } = await post(packed);
    expect(headers?.["x-asked"]).toBe("identity");
    expect(Buffer.byteLength(body ?? "", "utf8")).toBeLessThan(3 * 4096);
    const long = await httpServer((_request, response) => response.end("a".repeat(10_000)));
    expect((await post(long)).body).toBe("a".repeat(4096));
  });

  test("stops reading an endless body at the limit", async () => {
    let sent = 0;
    const port = await httpServer((_request, response) => {
      const chunk = Buffer.alloc(65_536);
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on("drain", more);
      more();
    });
    expect(await post(port)).toMatchObject({ status: 200, error: null });
    expect(sent).toBeLessThan(50_000_000);
  });

  test("a connection that breaks after the status keeps the status; one that breaks before has none", async () => {
    const after = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart");
      setTimeout(() => socket.destroy(), 100);
    });
    expect(await post(after)).toMatchObject({ status: 200, body: "part", error: { fault: "connection_failed" } });
    const before = await rawServer((socket) => socket.destroy());
    expect(await post(before)).toMatchObject({ status: null, error: { fault: "connection_failed" } });
  });

  test.each([
    ["chunks that are none", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nno chunk\r\n\r\n"],
    ["a trailer that is none", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\u0000\r\n\r\n"],
  ])("a success status counts despite an invalid body: %s", async (_what, rawResponse) => {
    const port = await rawServer((socket) => socket.write(rawResponse));
    const exchange = await post(port);
    expect(exchange).toMatchObject({ status: 200, error: { fault: "protocol_error" } });
    expect(responseStatus(exchange)).toBe(200);
  });

  test("invalid HTTP and huge headers are protocol errors", async () => {
    const nonsense = await rawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
    expect(await post(nonsense)).toMatchObject({ status: null, error: { fault: "protocol_error" } });
    const huge = await rawServer((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(1_000_000)}\r\n\r\n`));
    expect((await post(huge)).status).toBeNull();
  });

  test("an invalid header is reported, and nothing is sent", async () => {
    let visited = 0;
    const port = await httpServer((_request, response) => {
      visited += 1;
      response.end();
    });
    const url = `http://127.0.0.1:${port}/`;
    const { error } = await postOnce(agentWith(local), local, { url, headers: { "x-a": "b\r\nc: d" }, body: "" });
    expect(error?.fault).toBe("invalid_header");
    expect(visited).toBe(0);
  });

  test("accepts early hints and a 204 with a body", async () => {
    const hints = await rawServer((socket) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(20));
      socket.write("HTTP/1.1 204 No Content\r\n\r\n");
    });
    expect((await post(hints)).status).toBe(204);
  });

  test("a closed port is reported without internal addresses", async () => {
    const port = await httpServer(() => undefined);
    closers.pop()?.();
    await new Promise((resolve) => setImmediate(resolve));
    const { error } = await post(port);
    expect(error?.fault).toBe("connection_failed");
    expect(error?.message).not.toContain("127.0.0.1");
  });

  test("times out on silence, slow headers and a slow body [spec: events.3]", async () => {
    const silent = await rawServer(() => undefined);
    const headers = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      drip(socket, "x-more: yes\r\n");
    });
    const body = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
      drip(socket, "x");
    });
    const exchanges = await Promise.all([silent, headers, body].map((port) => post(port)));
    expect(exchanges.map(({ status, error }) => [status, error?.fault])).toEqual([
      [null, "timeout"],
      [null, "timeout"],
      [200, "timeout"],
    ]);
  });
});

describe("connections", () => {
  test.each([
    ["every address is ours", ["127.0.0.1"]],
    ["one of several is ours", ["93.184.216.34", "127.0.0.1"]],
    ["an IPv6 one is ours", ["93.184.216.34", "::1"]],
    ["a mapped one is ours", ["::ffff:127.0.0.1"]],
    ["NAT64 reaches ours", ["64:ff9b::7f00:1"]],
    ["6to4 reaches ours", ["2002:7f00:1::"]],
  ])("refuses a name when %s, without any connection", async (_what, addresses) => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const port = await listening(server);
    const agent = agentWith(strict, async () => addresses);
    const url = `https://rebound.example:${port}/`;
    const { error } = await postOnce(agent, strict, { url, headers: {}, body: "{}" });
    expect(error?.fault).toBe("blocked_address");
    expect(connections).toBe(0);
  });

  test("connects to the checked address, whatever the name resolves to next", async () => {
    let lookups = 0;
    const hosts: (string | undefined)[] = [];
    const port = await httpServer((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    const agent = agentWith(local, async () => (lookups++ === 0 ? ["127.0.0.1"] : ["169.254.169.254"]));
    const send = () => postOnce(agent, local, { url: `http://rebound.example:${port}/`, headers: {}, body: "{}" });
    expect((await send()).status).toBe(200);
    expect(lookups).toBe(1);
    // The connection is free a moment after the answer was complete.
    await new Promise((resolve) => setImmediate(resolve));
    expect((await send()).status).toBe(200);
    expect(hosts).toEqual([`rebound.example:${port}`, `rebound.example:${port}`]);
    expect(lookups).toBe(1);
  });

  test("tries the next address when the first does not respond; reports a name without addresses", async () => {
    const port = await httpServer((_request, response) => response.end());
    const agent = agentWith(local, async () => ["127.0.0.2", "127.0.0.1"]);
    expect((await postOnce(agent, local, { url: `http://two.example:${port}/`, headers: {}, body: "" })).status).toBe(
      200,
    );
    const nameless = agentWith(local, () => Promise.reject(new Error("no such name")));
    const { error } = await postOnce(nameless, local, { url: "http://none.example/", headers: {}, body: "" });
    expect(error?.fault).toBe("dns_error");
  });

  test("times out on a silent name server and on a stalled handshake", async () => {
    const silent = agentWith(local, () => new Promise(() => undefined));
    const stalls = await rawServer(() => undefined);
    const stalled = agentWith(local, async () => ["127.0.0.1"]);
    const exchanges = await Promise.all([
      postOnce(silent, local, { url: "https://silent.example/", headers: {}, body: "" }),
      postOnce(stalled, local, { url: `https://stalls.example:${stalls}/`, headers: {}, body: "" }),
    ]);
    expect(exchanges.map(({ error }) => error?.fault)).toEqual(["connect_timeout", "connect_timeout"]);
  });

  test("sends the server name and refuses an untrusted certificate", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-certificate-"));
    const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=hooks.example", "-addext", "subjectAltName=DNS:hooks.example"];
    const files = ["-keyout", key, "-out", cert];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...subject, ...files], {
      stdio: "ignore",
    });
    const names: string[] = [];
    const server = createTlsServer({
      key: fs.readFileSync(key),
      cert: fs.readFileSync(cert),
      SNICallback(name, done) {
        names.push(name);
        done(null);
      },
    });
    server.on("tlsClientError", () => undefined);
    const port = await listening(server);
    const agent = agentWith(local, async () => ["127.0.0.1"]);
    const url = `https://hooks.example:${port}/`;
    const { error } = await postOnce(agent, local, { url, headers: {}, body: "" });
    expect(error?.fault).toBe("tls_error");
    expect(names).toEqual(["hooks.example"]);
  });
});
