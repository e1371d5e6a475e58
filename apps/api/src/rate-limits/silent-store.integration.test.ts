import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, expect, test } from "@jest/globals";
import { createLogger } from "@svc/service-kit";
import { Redis } from "ioredis";
import { createRateLimits } from "./rate-limits.ts";
import { redisUrl, withRedis } from "./testing/redis-stores.ts";

const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
});

/** A way to the store that can fall silent: what is sent is then counted and goes nowhere, as behind a dead switch. */
async function startWay(target: URL) {
  const way = { port: 0, isSilent: false, lost: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const store = connect(Number(target.port), target.hostname);
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    store.on("data", (chunk) => client.write(chunk));
    client.on("data", (chunk) => {
      if (way.isSilent) way.lost++;
      else store.write(chunk);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  way.port = (server.address() as AddressInfo).port;
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return way;
}

withRedis("rate limits in Redis", () => {
  test("a shared store that falls silent is asked by one request, and the others are counted here at once [spec: G13]", async () => {
    const way = await startWay(new URL(redisUrl ?? ""));
    const redis = new Redis(way.port, "127.0.0.1", { enableOfflineQueue: false, commandTimeout: 1_000 });
    ends.unshift(() => redis.disconnect());
    await once(redis, "ready");
    const limits = createRateLimits({
      limits: {
        default: 3,
        create_tracking_request: 1,
        infer: 1,
        refresh: 1,
        carrier_test: 1,
        push: 1,
        session: 1,
        invalid_token: 1,
      },
      notModifiedPerRequest: 10,
      redis,
      logger: createLogger({ service: "test", level: "silent" }),
    });
    const accountId = randomUUID();
    const shared = await limits.take("default", accountId);
    expect(shared).toMatchObject({ accepted: true, remaining: 2 });
    way.isSilent = true;
    const accepted: boolean[] = [];
    for (let request = 1; request <= 4; request++) accepted.push((await limits.take("default", accountId)).accepted);
    expect(accepted).toEqual([true, true, true, false]);
    expect((await shared.chargeNotModified()).remaining).toBe(3);
    expect(way.lost).toBe(1);
  });
});
