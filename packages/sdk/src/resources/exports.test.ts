import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { type Client, createClient } from "../create-client.ts";
import { NetworkError } from "../errors.ts";

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function serving(respond: (response: ServerResponse) => void): Promise<Client> {
  server = createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "application/jsonl", "Export-Cursor": "next" });
    respond(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return createClient({ token: "t", baseUrl: `http://127.0.0.1:${port}/v2`, timeoutMs: 1_000, maxRetries: 0 });
}

const idsOf = async (items: AsyncIterable<{ readonly id: string }>): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
};

test("reads rows that are split between chunks, and characters between bytes", async () => {
  const bytes = Buffer.from('{"id":"ä"}\n{"id":"b"}\n');
  const client = await serving((response) => {
    response.write(bytes.subarray(0, 8));
    setImmediate(() => response.end(bytes.subarray(8)));
  });
  const { cursor, items } = await client.exports.shipments();
  expect([cursor, await idsOf(items)]).toEqual(["next", ["ä", "b"]]);
});

test("throws when the response ends early, after the rows that came", async () => {
  const client = await serving((response) => {
    response.write('{"id":"a"}\n', () => response.destroy());
  });
  const { items } = await client.exports.containers();
  await expect(idsOf(items)).rejects.toThrow(NetworkError);
});

test("disconnects when the loop ends early", async () => {
  let closed: Promise<unknown> | undefined;
  const client = await serving((response) => {
    closed = once(response, "close");
    response.write('{"id":"a"}\n{"id":"b"}\n');
  });
  const { items } = await client.exports.transportEvents();
  for await (const { id } of items) {
    expect(id).toBe("a");
    break;
  }
  await closed;
});
