import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createLogger } from "@svc/service-kit";
import { Registry } from "prom-client";
import { createApiRequestRecorder } from "./request-log.ts";

const lines: string[] = [];
const server = createServer();
let url: string;

beforeAll(async () => {
  const logger = createLogger({ service: "test", destination: { write: (line) => void lines.push(line) } });
  const record = createApiRequestRecorder({ logger, metrics: new Registry() });
  server.on("request", (request, response) => response.end(record(request, response).requestId));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("logs the request id of the response, which is the client's own id when it is a plain word [spec: P9, G17]", async () => {
  const responded: string[] = [];
  for (const headers of [{}, { "X-Request-Id": "order-4711-try-1" }, { "X-Request-Id": "x".repeat(65) }]) {
    responded.push(await (await fetch(url, { headers })).text());
  }
  expect(responded[1]).toBe("order-4711-try-1");
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.map((line) => [line.msg, line.request_id, line.status])).toEqual(
    responded.map((id) => ["request.completed", id, 200]),
  );
});

test("logs no header, body or query of a request", async () => {
  const before = lines.length;
  await fetch(`${url}/v2/shipments?filter[number]=query-4711`, {
    method: "POST",
    headers: { Authorization: "Token token-4711", Cookie: "svc_session=cookie-4711", "X-Api-Key": "header-4711" },
    body: JSON.stringify({ secret: "body-4711" }),
  });
  const [logged = "", ...others] = lines.slice(before);
  expect([JSON.parse(logged).msg, others]).toEqual(["request.completed", []]);
  expect(logged).not.toContain("4711");
});
