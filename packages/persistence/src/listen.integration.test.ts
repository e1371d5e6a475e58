import { once } from "node:events";
import { describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { listen } from "./listen.ts";
import { openTestDatabase } from "./testing/open-test-database.ts";

const database = started(openTestDatabase);

/** Each `next` resolves with the next call. */
function calls(): { called: () => void; next: () => Promise<unknown> } {
  const events = new EventTarget();
  let waiting = 0;
  events.addEventListener("call", () => waiting++);
  return {
    called: () => void events.dispatchEvent(new Event("call")),
    async next() {
      if (waiting === 0) await once(events, "call");
      waiting--;
    },
  };
}

const notify = () => database.pool.query("SELECT pg_notify('svc_test', '')");

describe("listening to a channel", () => {
  test("receives notifications, also after the connection was closed", async () => {
    const notified = calls();
    const listener = listen(database, "svc_test", notified.called);
    await notified.next();
    await notify();
    await notified.next();
    const cut = await database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    );
    expect(cut.rowCount).toBe(1);
    await notified.next();
    await notify();
    await notified.next();
    await listener.close();
  });

  test("receives nothing after close and leaves no connection", async () => {
    let count = 0;
    const notified = calls();
    const listener = listen(database, "svc_test", () => {
      count++;
      notified.called();
    });
    await notified.next();
    await listener.close();
    await notify();
    const left = await database.pool.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state IS NOT NULL",
    );
    expect(left.rowCount).toBe(0);
    expect(count).toBe(1);
  });
});
