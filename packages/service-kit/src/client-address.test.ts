import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { clientAddress, networkOf } from "./client-address.ts";

test.each([
  ["203.0.113.9", 0, "127.0.0.1"],
  ["203.0.113.9", 1, "203.0.113.9"],
  ["198.51.100.1, 203.0.113.9", 1, "203.0.113.9"],
  ["198.51.100.1, 203.0.113.9, 10.0.0.1", 2, "203.0.113.9"],
  ["203.0.113.9", 2, "203.0.113.9"],
  ["2001:db8::1", 1, "2001:db8::1"],
  ["not an address", 1, "127.0.0.1"],
  ["", 1, "127.0.0.1"],
])("X-Forwarded-For %j behind %i trusted proxies is the client %s", async (forwarded, proxies, expected) => {
  const server = createServer((request, response) => response.end(clientAddress(request, proxies)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await (await fetch(url, { headers: { "X-Forwarded-For": forwarded } })).text()).toBe(expected);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("counts IPv4 by address, also mapped into IPv6, and IPv6 by its /64", () => {
  expect(networkOf("203.0.113.9")).toBe("203.0.113.9");
  expect(networkOf("::ffff:203.0.113.9")).toBe("203.0.113.9");
  expect(networkOf("2001:db8:0:1::1")).toBe(networkOf("2001:db8:0:1:ffff:ffff:ffff:ffff"));
  expect(networkOf("2001:db8:0:1::1")).not.toBe(networkOf("2001:db8:0:2::1"));
  expect(networkOf("fe80::1%eth0")).toBe(networkOf("fe80::2"));
});
