import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { waitWhileRunning } from "./wait-while-running.ts";

test("repeats a request whose key is in use until the first response, and shows other conflicts at once", async () => {
  const codes = ["idempotency_in_progress", "idempotency_in_progress", null, "conflict"];
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers["idempotency-key"]);
    const code = codes[keys.length - 1] ?? null;
    response.statusCode = code === null ? 201 : 409;
    response.end(JSON.stringify(code === null ? { data: {} } : { errors: [{ code }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const create = () => waitWhileRunning(url, { method: "POST", headers: { "idempotency-key": "a" }, body: "{}" });
  try {
    const first = await create();
    expect([first.status, await first.json(), keys]).toEqual([201, { data: {} }, ["a", "a", "a"]]);
    const other = await create();
    expect([other.status, await other.json(), keys.length]).toEqual([409, { errors: [{ code: "conflict" }] }, 4]);
  } finally {
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
  }
});
