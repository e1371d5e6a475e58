import { beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";

const app = started(startTestWeb);
let cookie: string;
let otherCookie: string;

const account = started(() => app.addAccount());
beforeAll(async () => {
  [cookie, otherCookie] = [await app.logIn(account), await app.logIn(await app.addAccount())];
});
const shipment = started(() => addShipment(app.database, account.id, { number: "LIVE1", containers: ["LIVU1000001"] }));
const other = started(() => addShipment(app.database, account.id, { number: "LIVE2" }));

/** The events that a page receives, until it is closed. */
async function listen(path: string, session: string, url = app.url) {
  const left = new AbortController();
  const answer = await fetch(`${url}${path}`, {
    headers: { cookie: session, accept: "text/event-stream", "accept-encoding": "br, gzip" },
    signal: left.signal,
  });
  const events: string[] = [];
  const text = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      for (const [, event] of decoder.decode(chunk, { stream: true }).matchAll(/^event: (\w+)$/gm))
        events.push(event ?? "");
    }
  };
  const ended = text().then(
    () => "by the service",
    () => "by the page",
  );
  return {
    answer,
    events,
    ended,
    close: async () => {
      left.abort();
      await ended;
    },
  };
}

const change = (id: string, tag: string) =>
  app.database.prisma.shipment.updateMany({ where: { id }, data: { tags: [tag] } });

describe("GET /events", () => {
  test("reports a change to the pages of the account and of the shipment, and to no others", async () => {
    const paths = ["/events", `/events?shipment=${shipment.id}`, `/events?shipment=${other.id}`];
    const own = await Promise.all(paths.map((path) => listen(path, cookie)));
    const foreign = await Promise.all(paths.map((path) => listen(path, otherCookie)));
    const all = [...own, ...foreign];
    await eventually("all are ready", () => all.every(({ events }) => events[0] === "ready"));
    await change(shipment.id, "one");
    await eventually("it is reported", () => own[0]?.events.includes("changed") && own[1]?.events.includes("changed"));
    await change(other.id, "two");
    await eventually("it is reported", () => own[2]?.events.includes("changed"));
    expect(own[1]?.events).toEqual(["ready", "changed"]);
    expect(foreign.map(({ events }) => events)).toEqual([["ready"], ["ready"], ["ready"]]);
    const { headers, status } = own[0]?.answer ?? new Response();
    expect([
      status,
      headers.get("content-type"),
      headers.get("cache-control"),
      headers.get("content-encoding"),
    ]).toEqual([200, "text/event-stream; charset=utf-8", "no-store, no-transform", null]);
    await Promise.all(all.map(({ close }) => close()));
  });

  test("a session has at most six; one that is closed makes room", async () => {
    const open = await Promise.all(Array.from({ length: 6 }, () => listen("/events", cookie)));
    expect(open.map(({ answer }) => answer.status)).toEqual([200, 200, 200, 200, 200, 200]);
    const refused = await listen("/events", cookie);
    expect([refused.answer.status, refused.answer.headers.get("retry-after")]).toEqual([429, "60"]);
    expect((await listen("/events", otherCookie)).answer.status).toBe(200);
    await open[0]?.close();
    await eventually("there is room", async () => {
      const next = await listen("/events", cookie);
      await next.close();
      return next.answer.status === 200;
    });
    await Promise.all(open.map(({ close }) => close()));
  });

  test("a page that was left before its session was found leaves no stream", async () => {
    const blocker = await app.database.pool.connect();
    await blocker.query("BEGIN; LOCK TABLE user_sessions IN ACCESS EXCLUSIVE MODE");
    const left = new AbortController();
    const { signal } = left;
    const headers = { cookie, accept: "text/event-stream" };
    const requests = Array.from({ length: 6 }, () => fetch(`${app.url}/events`, { headers, signal }).catch(() => null));
    await eventually("they look for the session", async () => {
      const { rows } = await app.database.pool.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    });
    left.abort();
    expect(await Promise.all(requests)).toEqual([null, null, null, null, null, null]);
    await fetch(`${app.url}/login`);
    await blocker.query("COMMIT");
    blocker.release();
    const page = await listen("/events", cookie);
    expect(page.answer.status).toBe(200);
    await page.close();
  });

  test("needs a session and the id of a shipment; HEAD ends at once, and nothing is written", async () => {
    const headers = { accept: "application/json" };
    expect((await app.request("/events", { headers })).status).toBe(401);
    expect((await app.request("/events")).headers.get("location")).toBe("/login?next=%2Fevents");
    expect((await app.request("/events?shipment=x", { headers: { cookie } })).status).toBe(422);
    expect((await app.request("/events", { method: "HEAD", headers: { cookie } })).status).toBe(200);
    expect((await app.request("/events", { method: "POST", headers: { cookie } })).status).toBe(405);
  });

  test("ends when the service stops, which does not wait for the pages", async () => {
    const stopped = await startTestWeb({ database: app });
    const page = await listen("/events", cookie, stopped.url);
    await eventually("the page is ready", () => page.events[0] === "ready");
    await stopped.close();
    expect(await page.ended).toBe("by the service");
  });
});
