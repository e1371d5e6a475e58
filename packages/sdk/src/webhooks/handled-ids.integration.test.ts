import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once as onceEmitted } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createTestDatabase, eventually, testRedisUrl } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { Redis } from "ioredis";
import pg from "pg";
import { createDeduplicator, NotificationInProgressError } from "./deduplicator.ts";
import { type HandledIds, handledIdsInMemory } from "./handled-ids.ts";
import { handledIdsInPostgres, handledIdsInRedis } from "./shared-handled-ids.ts";

interface Opened {
  readonly store: HandledIds;
  /** Ids that are kept no longer than this. */
  readonly forgetful: HandledIds;
  /** A program's text that makes `store`; empty where a store is of one process. */
  readonly program: string;
  close(): Promise<unknown>;
}

const here = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
const soonMs = { keptMs: 1 };

async function openPostgres(): Promise<Opened> {
  const url = await createTestDatabase(undefined, fs.mkdtempSync(path.join(os.tmpdir(), "svc-no-migrations-")));
  const pool = new pg.Pool({ connectionString: url });
  await pool.query("CREATE TABLE handled_webhooks (id text PRIMARY KEY, owner text, ends_at timestamptz NOT NULL)");
  const program = `
    import pg from "pg";
    import { handledIdsInPostgres } from ${here("./shared-handled-ids.ts")};
    const store = handledIdsInPostgres(new pg.Pool({ connectionString: ${JSON.stringify(url)} }));`;
  return {
    store: handledIdsInPostgres(pool),
    forgetful: handledIdsInPostgres(pool, soonMs),
    program,
    close: () => pool.end(),
  };
}

async function openRedis(url: string): Promise<Opened> {
  const redis = new Redis(url);
  const prefix = `test-${randomUUID()}:`;
  const send = (name: string, ...rest: string[]) => redis.call(name, ...rest);
  const program = `
    import { Redis } from "ioredis";
    import { handledIdsInRedis } from ${here("./shared-handled-ids.ts")};
    const redis = new Redis(${JSON.stringify(url)});
    const store = handledIdsInRedis((...command) => redis.call(...command), { prefix: ${JSON.stringify(prefix)} });`;
  return {
    store: handledIdsInRedis(send, { prefix }),
    forgetful: handledIdsInRedis(send, { prefix, ...soonMs }),
    program,
    close: () => redis.quit(),
  };
}

async function openMemory(): Promise<Opened> {
  return {
    store: handledIdsInMemory(),
    forgetful: handledIdsInMemory({ maxIds: 0 }),
    program: "",
    close: async () => undefined,
  };
}

const shared: [string, () => Promise<Opened>][] = [["PostgreSQL", openPostgres]];
const redisUrl = testRedisUrl();
if (redisUrl) shared.push(["Redis", () => openRedis(redisUrl)]);

/** Runs until it is killed, in the middle of handling. */
async function killWhileHandling(program: string, id: string, claimMs: number): Promise<void> {
  const text = `${program}
    import { createDeduplicator } from ${here("./deduplicator.ts")};
    setInterval(() => undefined, 1_000);
    await createDeduplicator({ store, handlingMaxMs: ${claimMs} })(${JSON.stringify(id)}, () => {
      console.log("handling");
      return new Promise(() => undefined);
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", text], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = onceEmitted(child, "exit");
  await Promise.race([
    onceEmitted(child.stdout, "data"),
    exited.then(() => Promise.reject(new Error("The program ended by itself."))),
  ]);
  child.kill("SIGKILL");
  await exited;
}

describe.each([["memory", openMemory] as const, ...shared])("handled ids in %s", (_name, open) => {
  const opened = started(() => open());
  const store = started(() => opened.store);

  const claimMs = 600_000;

  test("give exactly one of many concurrent claims", async () => {
    const id = randomUUID();
    const claims = await Promise.all(
      Array.from({ length: 50 }, async (_, owner) => store.begin(id, String(owner), claimMs)),
    );
    expect(claims.filter((outcome) => outcome === "new")).toHaveLength(1);
    expect(claims.filter((outcome) => outcome === "running")).toHaveLength(49);
  });

  test('report "running", then "done" to every caller', async () => {
    const id = randomUUID();
    expect(await store.begin(id, "one", claimMs)).toBe("new");
    expect(await store.begin(id, "other", claimMs)).toBe("running");
    await store.done(id);
    expect(await store.begin(id, "other", claimMs)).toBe("done");
  });

  test("release a claim only for its owner, and keep a done id", async () => {
    const id = randomUUID();
    await store.begin(id, "one", claimMs);
    await store.release(id, "other");
    expect(await store.begin(id, "other", claimMs)).toBe("running");
    await store.release(id, "one");
    expect(await store.begin(id, "other", claimMs)).toBe("new");
    await store.done(id);
    await store.release(id, "other");
    expect(await store.begin(id, "one", claimMs)).toBe("done");
  });

  test("a claim ends by itself; who held it can still be done, and cannot release the next", async () => {
    const id = randomUUID();
    await store.begin(id, "one", 1);
    await eventually("the claim ends", async () => (await store.begin(id, "other", claimMs)) === "new");
    await store.release(id, "one");
    expect(await store.begin(id, "third", claimMs)).toBe("running");
    await store.done(id);
    await store.release(id, "other");
    expect(await store.begin(id, "third", claimMs)).toBe("done");
  });

  test("expire when done", async () => {
    const id = randomUUID();
    await opened.forgetful.begin(id, "one", claimMs);
    await opened.forgetful.done(id);
    await eventually("it is new again", async () => (await store.begin(id, "other", claimMs)) === "new");
  });
});

describe.each(shared)("receivers that share their ids in %s", (_name, open) => {
  const opened = started(() => open());

  test("a notification whose receiver was killed in the handler is not acknowledged until it has been handled", async () => {
    const id = randomUUID();
    await killWhileHandling(opened.program, id, 3_000);
    const once = createDeduplicator({ store: opened.store });
    let handled = 0;
    const handle = (): void => {
      handled += 1;
    };
    await eventually("the killed one's claim ends", async () => {
      try {
        // False here would acknowledge an unhandled notification.
        expect(await once(id, handle)).toBe(true);
        return true;
      } catch (error) {
        if (error instanceof NotificationInProgressError) return false;
        throw error;
      }
    });
    expect(await once(id, handle)).toBe(false);
    expect(handled).toBe(1);
  });
});
