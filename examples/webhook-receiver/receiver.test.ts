import { spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createReceivingServer } from "./receiving-server.ts";
import { register } from "./registration.ts";

const secret = `whsec_${randomBytes(24).toString("base64")}`;
const servers: Server[] = [];

const listen = async (server: Server): Promise<string> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const notification = (id: string) =>
  JSON.stringify({
    data: { id, type: "webhook_notification", attributes: { event: "container.transport.vessel_arrived" } },
    included: [
      { type: "shipment", attributes: { bill_of_lading_number: "B1" } },
      { type: "container", attributes: { number: "MSCU1234566" } },
    ],
  });

const nowSeconds = () => Math.floor(Date.now() / 1000);

function signed(body: string, keys: readonly string[], timestamp = nowSeconds()): Record<string, string> {
  const mac = (key: string) =>
    createHmac("sha256", Buffer.from(key.slice("whsec_".length), "base64"))
      .update(`n1.${timestamp}.${body}`)
      .digest("base64");
  return {
    "webhook-id": "n1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": keys.map((key) => `v1,${mac(key)}`).join(" "),
    "x-svc-webhook-signature": keys.map((key) => createHmac("sha256", key).update(body).digest("hex")).join(","),
  };
}

async function startReceiver(known: string | undefined = secret) {
  const lines: string[] = [];
  const url = await listen(createReceivingServer({ secret: () => known, print: (line) => lines.push(line) }));
  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(url, { method: "POST", headers, body })).status;
  return { lines, post };
}

describe("the example receiver", () => {
  test("responds 204 to a signed notification and prints its subject", async () => {
    const { lines, post } = await startReceiver();
    expect(await post(notification("n1"), signed(notification("n1"), [secret]))).toBe(204);
    expect(lines[0]).toMatch(/Z {2}container\.transport\.vessel_arrived +MSCU1234566 +verified$/);
  });

  test("recognises a notification that it has seen", async () => {
    const { lines, post } = await startReceiver();
    for (let time = 0; time < 2; time += 1) await post(notification("n1"), signed(notification("n1"), [secret]));
    expect(lines.map((line) => line.endsWith("seen before"))).toEqual([false, true]);
  });

  test("accepts either secret while one replaces the other", async () => {
    const { post } = await startReceiver();
    const other = `whsec_${randomBytes(24).toString("base64")}`;
    expect(await post(notification("n1"), signed(notification("n1"), [other, secret]))).toBe(204);
    expect(await post(notification("n1"), signed(notification("n1"), [other]))).toBe(401);
  });

  test.each<[string, (headers: Record<string, string>) => Record<string, string>]>([
    ["no signatures at all", () => ({})],
    ["an old timestamp", () => signed(notification("n1"), [secret], nowSeconds() - 301)],
    ["a timestamp of the future", () => signed(notification("n1"), [secret], nowSeconds() + 301)],
    ["another id than was signed", (headers) => ({ ...headers, "webhook-id": "n2" })],
    ["only the signature of the body", ({ "webhook-signature": _, ...headers }) => headers],
    ["only the Standard Webhooks signature", ({ "x-svc-webhook-signature": _, ...headers }) => headers],
    ["a signature of another version", (headers) => ({ ...headers, "webhook-signature": "v2,AAAA" })],
  ])("answers 401 to %s", async (_what, change) => {
    const { lines, post } = await startReceiver();
    expect(await post(notification("n1"), change(signed(notification("n1"), [secret])))).toBe(401);
    expect(lines[0]).toContain("refused");
  });

  test("answers 401 to a changed body and 400 to a signed text that is no notification", async () => {
    const { post } = await startReceiver();
    expect(await post(`${notification("n1")} `, signed(notification("n1"), [secret]))).toBe(401);
    expect(await post("[]", signed("[]", [secret]))).toBe(400);
  });

  test("asks to come again while it does not know its secret", async () => {
    const lines: string[] = [];
    const url = await listen(createReceivingServer({ secret: () => undefined, print: (line) => lines.push(line) }));
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(503);
    expect((await fetch(url)).status).toBe(405);
  });

  test("registers for every event, learns the secret, and deletes the webhook again", async () => {
    const requests: string[] = [];
    const api = await listen(
      createServer((request, response) => {
        let body = "";
        request.on("data", (chunk) => {
          body += chunk;
        });
        request.on("end", () => {
          requests.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
          response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/vnd.api+json" });
          response.end(request.method === "POST" ? JSON.stringify({ data: { id: "w1", attributes: { secret } } }) : "");
        });
      }),
    );
    const registration = await register({ api: `${api}/v2/`, token: "svc_live_x" }, "http://127.0.0.1:4100/webhooks");
    expect(registration).toMatchObject({ id: "w1", secret });
    await registration.remove();
    expect(requests[0]).toContain('POST /v2/webhooks Token svc_live_x {"data":{"type":"webhook"');
    expect(requests[0]).toContain('"events":["*"]');
    expect(requests[1]).toBe("DELETE /v2/webhooks/w1 Token svc_live_x ");
  });

  test("prints the error of the API when a request is refused", async () => {
    const api = await listen(createServer((_request, response) => response.writeHead(401).end("no such token")));
    await expect(register({ api, token: "x" }, "http://127.0.0.1/")).rejects.toThrow("answered 401: no such token");
  });

  const program = (...args: string[]) =>
    spawn(process.execPath, [path.join(import.meta.dirname, "receiver.ts"), "--secret", secret, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
  /** Takes the port, unless another program of this machine has it, which is as good. */
  const occupy = (port: number) =>
    new Promise<void>((resolve) => {
      const server = createServer();
      servers.push(server);
      server.once("error", () => resolve()).listen(port, "127.0.0.1", resolve);
    });

  test("takes a free port when its own is in use", async () => {
    await occupy(4100);
    const receiver = program();
    try {
      const [line] = (await once(receiver.stdout.setEncoding("utf8"), "data")) as [string];
      const port = Number(/^Listening at http:\/\/127\.0\.0\.1:(\d+)\/webhooks$/m.exec(line)?.[1]);
      expect(port).not.toBe(4100);
      expect((await fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", body: "{}" })).status).toBe(401);
    } finally {
      receiver.kill("SIGKILL");
    }
  });

  test("does not choose another port than the one that was asked for", async () => {
    await occupy(4100);
    const receiver = program("--port", "4100");
    let output = "";
    receiver.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    expect(await once(receiver, "close")).toEqual([1, null]);
    expect(output).toBe("Port 4100 is in use: stop what uses it, or leave --port out.\n");
  });
});
