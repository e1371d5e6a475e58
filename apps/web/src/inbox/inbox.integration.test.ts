import { describe, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startTestWeb, type Visitor } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const path = "/developers/inbox";

const app = started(() => startTestWeb({ withApi: true }));

const newcomer = async (): Promise<Visitor> => app.visit(await app.addAccount({ scopes: ["read", "write"] }));
const read = async (visitor: Visitor): Promise<string> => (await visitor.get(path)).text();

/** Opens an inbox with the form and returns its URL. */
async function open(visitor: Visitor): Promise<string> {
  expect((await visitor.post(path, {})).headers.get("location")).toBe(`${path}?done=opened`);
  const [, url = ""] = /value="([^"]+\/inbox\/[\w-]{32})"/.exec(await read(visitor)) ?? [];
  expect(url.startsWith(`${app.url}/inbox/`)).toBe(true);
  return url;
}
const send = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

describe("the inbox of an account", () => {
  test("shows deliveries of a webhook that is created and tested from its page", async () => {
    const visitor = await newcomer();
    const url = await open(visitor);
    const [, form = ""] = /href="(\/developers\/webhooks\/new\?url=[^"]+)"/.exec(await read(visitor)) ?? [];
    expect(await (await visitor.get(form)).text()).toContain(`value="${url}"`);
    const created = await visitor.post("/developers/webhooks", { url, events: "*", headers: "", rateLimit: "" });
    expect(created.status).toBe(201);
    const markup = await created.text();
    const [, id] = /\/developers\/webhooks\/([0-9a-f-]{36})/.exec(markup) ?? [];
    const [secret = ""] = /whsec_[\w+/=]+/.exec(markup) ?? [];
    expect((await visitor.post(`/developers/webhooks/${id}/test`, { event: "tracking_request.failed" })).status).toBe(
      200,
    );
    const pageText = await eventually("it came", async () => {
      const markup = await read(visitor);
      return markup.includes("1 request") && visibleText(markup);
    });
    expect(pageText).toContain("tracking_request.failed answered 200");
    expect(pageText).toContain("x-svc-webhook-signature");
    await send(url, "{}");
    const checked = async (input: string) => {
      const response = await visitor.post(`${path}/check`, { secret: input });
      const text = await response.text();
      expect(text).not.toContain(input);
      return [...text.matchAll(/<span class="tag">([^<]+)</g)].map(([, verdict]) => verdict);
    };
    expect(await checked(secret)).toEqual(["refused: no signature", "signature right"]);
    expect(await checked(`${secret}x`)).toEqual(["refused: no signature", "refused: wrong signature"]);
  });

  test("shows requests as text, to its account only, and sends the chosen response", async () => {
    const [ownVisitor, otherVisitor] = [await newcomer(), await newcomer()];
    const url = await open(ownVisitor);
    await open(otherVisitor);
    const stored = await send(url, "<script>alert(1)</script>\0", {
      "x-test": `"><img src=x>`,
      cookie: "svc_session=abc",
    });
    expect([stored.status, stored.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const markup = await read(ownVisitor);
    expect(markup).toContain("&lt;script&gt;alert(1)&lt;/script&gt;\ufffd");
    expect(markup).toContain("&quot;&gt;&lt;img src=x&gt;");
    expect(markup).not.toContain("svc_session=abc");
    expect(await read(otherVisitor)).not.toContain("alert(1)");
    expect((await ownVisitor.post(`${path}/answer`, { answer: "500" })).headers.get("location")).toBe(
      `${path}?done=answer`,
    );
    expect((await send(url, "{}")).status).toBe(500);
    expect((await ownVisitor.post(`${path}/answer`, { answer: "302" })).headers.get("location")).toBe(path);
    expect((await send(url, "{}")).status).toBe(500);
    await otherVisitor.post(`${path}/empty`, {});
    await otherVisitor.post(`${path}/close`, {});
    expect(visibleText(await read(ownVisitor))).toContain("3 requests.");
  });

  test("truncates long bodies, and rejects bodies that are longer than any notification", async () => {
    const visitor = await newcomer();
    const url = await open(visitor);
    expect((await send(url, "a".repeat(100_000))).status).toBe(200);
    expect((await send(url, "b".repeat(1_100_000))).status).toBe(413);
    const markup = await read(visitor);
    expect(visibleText(markup)).toContain("100000 bytes");
    expect(visibleText(markup)).toContain("Only the beginning of the body is stored.");
    expect(/a{1000,}/.exec(markup)?.[0]).toHaveLength(65_536);
    expect(markup).not.toContain("bbbb");
  });

  test("answers 404 after it is closed or expires, and can be emptied", async () => {
    const visitor = await newcomer();
    const url = await open(visitor);
    await send(url, "{}");
    await visitor.post(`${path}/empty`, {});
    expect(visibleText(await read(visitor))).toContain("No requests yet.");
    await visitor.post(`${path}/close`, {});
    expect((await send(url, "{}")).status).toBe(404);
    expect(visibleText(await read(visitor))).toContain("Open an inbox");
    const again = await open(visitor);
    expect(again).not.toBe(url);
    expect((await send(again, "{}")).status).toBe(200);
    await app.database.pool.query("UPDATE inboxes SET expires_at = now() WHERE key = $1", [again.slice(-32)]);
    expect((await send(again, "{}")).status).toBe(404);
    expect(visibleText(await read(visitor))).toContain("Open an inbox");
  });

  test("rejects unknown keys, other methods and API tokens", async () => {
    const account = await app.addAccount();
    const url = await open(await app.visit(account));
    for (const key of ["x", "a".repeat(32), "%00", "..%2f"]) {
      expect((await send(`${app.url}/inbox/${key}`, "{}")).status).toBe(404);
    }
    const response = await fetch(url);
    expect([response.status, response.headers.get("allow"), (await response.text()).includes("{")]).toEqual([
      405,
      "POST",
      false,
    ]);
    const headers = { authorization: `Token ${account.token}` };
    expect((await app.request(path, { headers })).status).toBe(403);
    const forged = await fetch(`${app.url}${path}/close`, {
      method: "POST",
      headers: { origin: "https://elsewhere.example" },
    });
    expect(forged.status).toBe(403);
  });

  test("holds requests open when chosen, and shows them as not answered", async () => {
    const visitor = await newcomer();
    const url = await open(visitor);
    await visitor.post(`${path}/answer`, { answer: "0" });
    expect(visibleText(await read(visitor))).toContain("Time out");
    const givingUp = AbortSignal.timeout(300);
    const request = fetch(url, { method: "POST", body: "{}", signal: givingUp });
    await expect(request).rejects.toThrow("timeout");
    expect(visibleText(await read(visitor))).toContain("Not sent by this service not answered, 2 bytes");
    const givers = new AbortController();
    const waiting = Array.from({ length: 6 }, () =>
      fetch(url, { method: "POST", signal: givers.signal }).catch(() => null),
    );
    await eventually("all are kept", async () => visibleText(await read(visitor)).includes("7 requests"));
    expect((await send(url, "{}")).status).toBe(503);
    givers.abort();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => null));
    await visitor.post(`${path}/answer`, { answer: "200" });
    expect((await send(url, "{}")).status).toBe(200);
    expect(visibleText(await read(visitor))).toContain("answered 503, 2 bytes");
  });

  test("accepts 120 requests per minute", async () => {
    const url = await open(await newcomer());
    const statuses = [];
    for (let index = 0; index < 121; index++) statuses.push((await send(url, "{}")).status);
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([120, 429]);
  });
});
