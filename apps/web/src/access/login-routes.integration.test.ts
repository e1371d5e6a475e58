import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { password, startTestWeb } from "../testing/start-test-web.ts";

const app = started(() => startTestWeb({ withApi: true }));

const account = started(() => app.addAccount());

const statusWith = async (cookie: string) => (await app.request("/shipments", { headers: { cookie } })).status;

describe("the login", () => {
  test("redirects back to the requested page, with a cookie that scripts cannot read", async () => {
    const { id } = await addShipment(app.database, account.id, { number: "LOG1" });
    const redirected = await app.request(`/shipments/${id}`);
    const login = await app.request(redirected.headers.get("location") ?? "");
    const next = /name="next" value="([^"]*)"/.exec(await login.text())?.[1] ?? "";
    const response = await app.request("/login", { form: { email: account.email.toUpperCase(), password, next } });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`/shipments/${id}`);
    expect(response.headers.getSetCookie()[0]).toMatch(/^svc_session=[\w-]{43}; .*HttpOnly; SameSite=Lax$/);
  });

  test.each([
    ["/shipments?q=LOG1", "/v2/shipments`", "list_shipments"],
    [`/shipments/${randomUUID()}`, "/v2/shipments/", "get_shipment_details"],
    [`/containers/${randomUUID()}/raw-events`, "/v2/containers/", "get_container"],
    ["/tracking-requests?status=failed", "/v2/tracking_requests`", "list_tracking_requests"],
  ])(
    "a request for %s as Markdown is answered with the API path and MCP tool of the same data",
    async (path, api, tool) => {
      const response = await app.request(path, { headers: { accept: "text/markdown, text/html;q=0.5" } });
      expect([response.status, response.headers.get("content-type")]).toEqual([401, "text/markdown; charset=utf-8"]);
      const note = await response.text();
      expect(note).toContain(api);
      expect(note).toContain(`\`${tool}\``);
      const known = { accept: "text/markdown", cookie: await app.logIn(account) };
      expect((await app.request("/shipments", { headers: known })).status).toBe(200);
    },
  );

  test("a page without an MCP tool is answered with its API path only", async () => {
    const path = `/developers/notifications/${randomUUID()}`;
    const response = await app.request(path, { headers: { accept: "text/markdown" } });
    const note = await response.text();
    expect([response.status, note.includes("/attempts`"), note.includes("MCP")]).toEqual([401, true, false]);
  });

  test("stores only the hash of the cookie and sets a new cookie for each login", async () => {
    const [one, other] = [await app.logIn(account), await app.logIn(account)];
    expect(one).not.toBe(other);
    const value = Buffer.from(one.split("=")[1] ?? "", "base64url");
    expect(await app.database.prisma.userSession.count({ where: { tokenSha256: value } })).toBe(0);
  });

  test("rejects a changed, truncated or unrelated cookie", async () => {
    const cookie = await app.logIn(account);
    expect(await statusWith(cookie)).toBe(200);
    const last = cookie.at(-1) === "A" ? "B" : "A";
    for (const wrong of [cookie.slice(0, -1) + last, cookie.slice(0, -1), `${cookie}A`, "svc_session=", "other=1"]) {
      expect(await statusWith(wrong)).toBe(302);
    }
  });

  test("logging out ends the session on the server", async () => {
    const [cookie, other] = [await app.logIn(account), await app.logIn(account)];
    const response = await app.request("/logout", { method: "POST", headers: { cookie } });
    expect(response.status).toBe(303);
    expect(response.headers.getSetCookie()[0]).toMatch(/^svc_session=; .*Expires=Thu, 01 Jan 1970/);
    expect(await statusWith(cookie)).toBe(302);
    expect(await statusWith(other)).toBe(200);
  });

  test("a new login ends the session that the browser had", async () => {
    const cookie = await app.logIn(account);
    const again = await app.request("/login", { form: { email: account.email, password }, headers: { cookie } });
    expect(again.status).toBe(303);
    expect(await statusWith(cookie)).toBe(302);
  });

  test("a wrong password and an unknown user get the same answer", async () => {
    const texts = await Promise.all(
      [account.email, "unknown@example.test"].map(async (email) => {
        const response = await app.request("/login", { form: { email, password: "wrong" } });
        expect(response.status).toBe(401);
        expect(response.headers.getSetCookie()).toEqual([]);
        return (await response.text()).replaceAll(email, "");
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });

  test("an empty form is refused with a message", async () => {
    const response = await app.request("/login", { form: { email: " ", password: "" } });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain("Enter your email address and your password.");
  });

  test("rejects a NUL character, which PostgreSQL cannot store, as a malformed form", async () => {
    for (const form of [
      { email: "a\0b@example.test", password },
      { email: account.email, password, next: "/\0" },
    ]) {
      expect((await app.request("/login", { form })).status).toBe(400);
    }
    expect(app.log()).not.toContain("request.failed");
  });

  test.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/%2e%2e//evil.example",
    "javascript:alert(1)",
  ])("next=%s does not redirect to another site", async (next) => {
    const { email } = await app.addAccount();
    const response = await app.request("/login", { form: { email, password, next } });
    expect(response.headers.get("location")).toBe("/shipments");
    const page = await app.request(`/login?next=${encodeURIComponent(next)}`);
    expect(await page.text()).toContain('name="next" value="/shipments"');
  });

  test("forms of other sites are refused", async () => {
    const form = { email: account.email, password };
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ] as Record<string, string>[]) {
      expect((await app.request("/login", { form, headers })).status).toBe(403);
      const cookie = await app.logIn(account);
      await app.request("/logout", { method: "POST", headers: { ...headers, cookie } });
      expect(await statusWith(cookie)).toBe(200);
    }
    const own = await app.request("/login", { form, headers: { origin: app.url, "sec-fetch-site": "same-origin" } });
    expect(own.status).toBe(303);
  });

  test("answers 503 when too many passwords wait to be verified, without counting an attempt", async () => {
    const many = await startTestWeb();
    try {
      const { email } = await many.addAccount();
      const attempts = Array.from({ length: 40 }, (_one, index) =>
        many.request("/login", { form: { email: `unknown${index}@example.test`, password: "wrong" } }),
      );
      const responses = await Promise.all(attempts);
      const refused = responses.filter(({ status }) => status === 503);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.map(({ headers }) => headers.get("retry-after"))).toEqual(refused.map(() => "5"));
      expect(responses.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(16);
      const { status } = await many.request("/login", { form: { email, password } });
      expect(status).toBe(responses.filter(({ status }) => status === 401).length < 20 ? 303 : 429);
    } finally {
      await many.close();
    }
  });

  test("limits password guessing, also in parallel, and returns Retry-After", async () => {
    const { email } = await app.addAccount();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => app.request("/login", { form: { email, password: "wrong" } })),
    );
    expect(responses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(2);
    const right = await app.request("/login", { form: { email, password } });
    expect(right.status).toBe(429);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(800);
  });
});

test("over https the cookie is bound to the host and sent only encrypted", async () => {
  const secure = await startTestWeb({ appUrl: "https://tracking.example" });
  try {
    const { email } = await secure.addAccount();
    const response = await secure.request("/login", { form: { email, password } });
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-svc_session=.*Path=\/;.*Secure/);
    expect(response.headers.get("strict-transport-security")).toContain("max-age=");
  } finally {
    await secure.close();
  }
});
