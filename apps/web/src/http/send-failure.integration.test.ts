import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { createClient } from "@svc/sdk";
import { createLogger } from "@svc/service-kit";
import express from "express";
import { startTestWeb } from "../testing/start-test-web.ts";
import { createFailureHandler } from "./send-failure.ts";

test("a rate limited page has Retry-After, the seconds to wait and a link to retry", async () => {
  const logger = createLogger({ service: "test", level: "silent" });
  const app = express()
    .get("/v2/webhooks", (_request, response) => {
      response.status(429).set({ "Retry-After": "7", "Content-Type": "application/vnd.api+json" });
      response.end('{"errors":[{"status":"429","code":"rate_limited","title":"Too many requests"}]}');
    })
    .all(/.*/, async (_request, response) => {
      response.json(await createClient({ token: "x", baseUrl: `${url}/v2`, maxRetries: 0 }).webhooks.list());
    })
    .use(createFailureHandler(logger));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const request = async (path: string, method = "GET") => {
      const response = await fetch(`${url}${path}`, { method, headers: { accept: "text/html" } });
      const markup = await response.text();
      return {
        status: response.status,
        wait: response.headers.get("retry-after"),
        seconds: /Try again in (\d+) seconds/.exec(markup)?.[1],
        link: /href="([^"]*)">Try again</.exec(markup)?.[1],
      };
    };
    const limited = { status: 429, wait: "7", seconds: "7" };
    expect(await request("/page?a=1&b=2")).toEqual({ ...limited, link: "/page?a=1&amp;b=2" });
    expect(await request("/form", "POST")).toEqual({ ...limited, link: undefined });
    // A path that browsers would resolve to another site.
    expect(await request("//evil.example/")).toEqual({ ...limited, link: "/shipments" });
  } finally {
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
  }
});

test("a form whose request failed stays in the page, to be submitted once more, unless it has a secret", async () => {
  // Its API is unreachable, as when it hangs.
  const app = await startTestWeb();
  try {
    const visitor = await app.visit(await app.addAccount());
    const form = { key: "k1", url: "https://example.com/<hook>", events: ["a.b", "c.d"], headers: "", rateLimit: "" };
    const failed = await visitor.post("/developers/webhooks", form);
    const [, markup = ""] = (await failed.text()).split("<h1>Not available</h1>");
    expect(failed.status).toBe(503);
    expect(markup).toContain("The API is not available.");
    expect(markup).toContain('<form method="post" action="/developers/webhooks">');
    expect(
      [...markup.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, ...field]) => field),
    ).toEqual([
      ["key", "k1"],
      ["url", "https://example.com/&lt;hook&gt;"],
      ["events", "a.b"],
      ["events", "c.d"],
      ["headers", ""],
      ["rateLimit", ""],
    ]);
    expect(markup).toContain("<button>Send again</button>");
    const secret = await (await visitor.post("/developers/webhooks", { ...form, password: "hunter2" })).text();
    expect(secret).toContain("The API is not available.");
    expect(secret).not.toMatch(/Send again|hunter2/);
  } finally {
    await app.close();
  }
});

test("failures are logged without the secrets in their paths", async () => {
  const app = await startTestWeb();
  try {
    await app.database.pool.query("ALTER TABLE invitations RENAME TO lost; ALTER TABLE inboxes RENAME TO lost_too");
    const secrets = [`/join/${"j".repeat(43)}`, `/inbox/${"i".repeat(32)}`, "/shipments?q=secret"];
    const statuses = await Promise.all(
      secrets.map(
        async (path) => (await app.request(path, { method: path.startsWith("/inbox") ? "POST" : "GET" })).status,
      ),
    );
    expect(statuses).toEqual([500, 500, 302]);
    const failures = app
      .log()
      .split("\n")
      .filter((line) => line.includes("request.failed"));
    expect(failures.map((line) => JSON.parse(line).route).sort()).toEqual(["/inbox/:key", "/join/:secret"]);
    expect(app.log()).not.toMatch(/jjjj|iiii|q=/);
  } finally {
    await app.close();
  }
});
