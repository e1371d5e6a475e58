import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { eventually, type NameServer, type ResolveName, startNameServer } from "@svc/testkit";
import { createEgressAgent } from "./egress-agent.ts";
import { postOnce } from "./post-once.ts";
import { createResolver } from "./resolve-host.ts";

const local = { allowInsecureTargets: true };
const closers: (() => unknown)[] = [];

let names: NameServer;
let resolveName: ResolveName = () => [];
/** Addresses at which requests arrived. */
let arrived: string[] = [];
let port = 0;

beforeAll(async () => {
  names = await startNameServer((name, type) => resolveName(name, type));
  for (const host of ["127.0.0.1", "::1"]) {
    const server = createServer((request, response) => {
      arrived.push(request.socket.localAddress ?? "");
      response.setHeader("connection", "close").end();
    });
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    port = (server.address() as AddressInfo).port;
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
  }
  closers.push(() => names.close());
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});
beforeEach(() => {
  arrived = [];
});

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function postTo(host: string) {
  const agent = createEgressAgent({ ...local, resolve: createResolver([names.address]) });
  closers.push(() => agent.destroy());
  const url = `http://${host}:${port}/`;
  const { status, error } = await postOnce(agent, local, { url, headers: {}, body: "{}" });
  return error?.fault ?? status;
}

describe("a name that resolves for one address family only", () => {
  test.each([
    ["AAAA", "127.0.0.1"],
    ["A", "::1"],
  ] as const)("is reached when %s questions are lost", async (lost, address) => {
    resolveName = (_name, type) => (type === lost ? null : [address]);
    expect(await postTo("half.example")).toBe(200);
    expect(arrived).toEqual([address]);
  });

  test("is reached at a late answer when the other family has no address", async () => {
    resolveName = (_name, type) => (type === "A" ? [] : delay(800).then(() => ["::1"]));
    expect(await postTo("late.example")).toBe(200);
    expect(arrived).toEqual(["::1"]);
  });

  test("is refused for a forbidden address that is resolved slightly later than the others", async () => {
    resolveName = (_name, type) => (type === "A" ? ["127.0.0.1"] : delay(50).then(() => ["fd00::1"]));
    expect(await postTo("beside.example")).toBe("blocked_address");
    expect(arrived).toEqual([]);
  });

  test("without any address cannot be resolved", async () => {
    resolveName = () => [];
    expect(await postTo("nowhere.example")).toBe("dns_error");
  });
});

/** Accepts no connection: its backlog is full, so the system drops further SYN packets. */
async function startBlackHole(host: string): Promise<void> {
  const listening = `
    const server = require("node:net").createServer();
    server.listen({ host: "${host}", port: ${port}, backlog: 1 }, () => {
      require("node:fs").writeSync(1, "listening");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ["--eval", listening], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  await once(child.stdout, "data");
  const queued: Socket[] = [];
  closers.push(async () => {
    for (const socket of queued) socket.destroy();
    child.kill("SIGKILL");
    await exited;
  });
  for (let isFull = false; !isFull; ) {
    const socket = connect({ host, port });
    socket.on("error", () => undefined);
    queued.push(socket);
    isFull = await Promise.race([once(socket, "connect").then(() => false), delay(500).then(() => true)]);
    if (queued.length > 100) throw new Error("The queue of connections is never full.");
  }
}

describe("a name with several addresses", () => {
  test("is reached at the second when the first is silent", async () => {
    await startBlackHole("127.0.0.2");
    resolveName = () => ["127.0.0.2", "127.0.0.1"];
    expect(await postTo("silent.example")).toBe(200);
    expect(arrived).toEqual(["127.0.0.1"]);
  });

  test("is reached at the other family when all of one are silent", async () => {
    await Promise.all(["127.0.0.3", "127.0.0.4"].map(startBlackHole));
    resolveName = () => ["127.0.0.3", "127.0.0.4", "::1"];
    expect(await postTo("silent-family.example")).toBe(200);
    expect(arrived).toEqual(["::1"]);
  });

  test("is reached at the last when all others refuse", async () => {
    resolveName = () => [...Array.from({ length: 40 }, (_, index) => `127.0.1.${index + 1}`), "127.0.0.1"];
    expect(await postTo("refusing.example")).toBe(200);
    expect(arrived).toEqual(["127.0.0.1"]);
  });

  test("fails with connection_failed when all refuse", async () => {
    resolveName = () => ["127.0.2.1", "127.0.2.2"];
    expect(await postTo("closed.example")).toBe("connection_failed");
  });

  test("is refused for one forbidden address at any position", async () => {
    for (const place of [0, 1, 2]) {
      resolveName = () => ["127.0.0.1", "::1"].toSpliced(place, 0, "169.254.169.254");
      expect(await postTo(`forbidden-${place}.example`)).toBe("blocked_address");
    }
    expect(arrived).toEqual([]);
  });

  test("leaves only the used connection open", async () => {
    // Sends nothing, so that a TLS handshake never ends.
    const open = new Set<Socket>();
    const silent = createTcpServer((socket) => {
      open.add(socket);
      socket.on("error", () => undefined).on("close", () => open.delete(socket));
      socket.resume();
    });
    await new Promise<void>((resolve) => silent.listen(0, "0.0.0.0", resolve));
    closers.push(() => silent.close());
    resolveName = () => ["127.0.0.1", "127.0.0.2", "127.0.0.3"];
    const agent = createEgressAgent({ ...local, resolve: createResolver([names.address]) });
    closers.push(() => agent.destroy());
    const url = `https://mute.example:${(silent.address() as AddressInfo).port}/`;
    const { error } = await postOnce(agent, local, { url, headers: {}, body: "{}" });
    expect(error?.fault).toBe("connect_timeout");
    expect(await eventually("all are closed", () => open.size === 0)).toBe(true);
  });
});
