import { beforeEach, describe, expect, test } from "@jest/globals";
import type { ReceivedRequest, WireBehaviour } from "@svc/sdk/testing";
import { startedEach } from "@svc/testkit/started";
import { accounts, containerId, startFakeApi } from "../testing/fake-api.ts";
import { startMcp } from "../testing/start-mcp.ts";

let overrule: (request: ReceivedRequest) => WireBehaviour | undefined | Promise<WireBehaviour | undefined>;

beforeEach(async () => {
  overrule = () => undefined;
});
const api = startedEach(() => startFakeApi((request) => overrule(request)));
const mcp = startedEach(() => startMcp(api.baseUrl));

const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "get_container", arguments: { id: containerId } },
};

describe("callers at the same time", () => {
  test("returns each caller's own account for concurrent requests with the same id", async () => {
    const tokens = Array.from({ length: 100 }, (_, index) => Object.keys(accounts)[index % 2] ?? "");
    const results = await Promise.all(
      tokens.map(async (token) => (await mcp.post(call, { authorization: `Bearer ${token}` })).json()),
    );
    results.forEach((result, index) => {
      const own = accounts[tokens[index] ?? ""];
      expect(result).toMatchObject({ id: 1, result: { structuredContent: { container: { container_number: own } } } });
    });
  });

  test("serves two interleaved clients of the MCP package", async () => {
    const clients = await Promise.all(Object.keys(accounts).map((token) => mcp.connect(token)));
    for (let round = 0; round < 5; round++) {
      const results = await Promise.all(
        clients.map((client) => client.callTool({ name: "list_containers", arguments: {} })),
      );
      expect(
        results.map(
          (result) =>
            (result.structuredContent as { items: { container_number: string }[] }).items[0]?.container_number,
        ),
      ).toEqual(Object.values(accounts));
    }
  });

  test("cancels only the call of the same caller when two calls have the same id", async () => {
    let release = (): void => undefined;
    let arrived = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const reached = new Promise<void>((resolve) => (arrived = resolve));
    overrule = async (request) => {
      if (!request.url.includes(containerId)) return undefined;
      arrived();
      await released;
      return undefined;
    };
    const victim = mcp.post(call);
    await reached;
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    expect((await mcp.post(cancel, { authorization: "Bearer svc_test_beta" })).status).toBe(202);
    release();
    expect(await (await victim).json()).toMatchObject({ id: 1, result: { structuredContent: {} } });
  });

  test("refuses only the caller whose token is invalid", async () => {
    const [good, bad] = await Promise.all([mcp.post(call), mcp.post(call, { authorization: "Bearer svc_test_wrong" })]);
    expect([good.status, bad.status]).toEqual([200, 401]);
    // The result for one token is not used for another.
    expect(
      (await mcp.post({ ...call, method: "tools/list", params: {} }, { authorization: "Bearer svc_test_wrong2" }))
        .status,
    ).toBe(401);
  });
});

test("closes the connection to the API when the caller disconnects", async () => {
  overrule = (request) => (request.url.includes(containerId) ? "hang" : undefined);
  const controller = new AbortController();
  const response = fetch(`${mcp.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "*/*", authorization: "Bearer svc_test_alpha" },
    body: JSON.stringify(call),
    signal: controller.signal,
  });
  while (api.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  await expect(response).rejects.toThrow();
  await api.requests[0]?.gone;
});
