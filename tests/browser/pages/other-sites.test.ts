import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Visit } from "../harness/browser.ts";
import { inBrowser } from "../harness/in-browser.ts";

const timeoutMs = 120_000;

inBrowser("requests of another site in the browser of a logged-in user", (running) => {
  let visit: Visit;
  let otherSite: http.Server;
  let otherSiteUrl: string;
  let markup = "";

  beforeAll(async () => {
    otherSite = http.createServer((_request, response) => {
      response.setHeader("Content-Type", "text/html").end(markup);
    });
    await new Promise<void>((resolve) => otherSite.listen(0, "127.0.0.1", resolve));
    // Another name of the same machine: another site to a browser, as cookies go by names.
    const { port } = otherSite.address() as AddressInfo;
    otherSiteUrl = `http://${new URL(running.system.runtime().app).hostname === "localhost" ? "127.0.0.1" : "localhost"}:${port}`;
    visit = await running.signIn();
  }, timeoutMs);
  afterAll(async () => {
    await new Promise((resolve) => otherSite?.close(resolve));
  });

  test(
    "shows nothing of a page in a frame of another site",
    async () => {
      const { page } = visit;
      for (const path of ["/shipments", "/login", "/developers/tokens/new"]) {
        markup = `<!doctype html><title>Elsewhere</title><iframe src="${running.system.runtime().app}${path}"></iframe>`;
        await page.goto(otherSiteUrl, { waitUntil: "load" });
        const [, frame] = page.frames();
        expect(await frame?.locator("main").count()).toBe(0);
      }
    },
    timeoutMs,
  );

  test(
    "forms of another site change nothing and log no user out",
    async () => {
      const { page } = visit;
      const forms: [path: string, fields: Record<string, string>][] = [
        ["/account/sessions/end-all", {}],
        ["/logout", {}],
        ["/times", { zone: "UTC" }],
        ["/theme", { theme: "dark" }],
        [
          "/developers/tokens",
          { id: "01890000-0000-7000-8000-000000000000", name: "Forged", scope: "write", lifetime: "never" },
        ],
      ];
      for (const [path, fields] of forms) {
        const inputs = Object.entries(fields).map(
          ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
        );
        markup = `<!doctype html><form method="post" action="${running.system.runtime().app}${path}">${inputs.join("")}<button>Win a prize</button></form>`;
        await page.goto(otherSiteUrl);
        const [reply] = await Promise.all([
          page.waitForResponse((response) => response.request().method() === "POST"),
          page.getByRole("button").click(),
        ]);
        expect([path, reply.status()]).toEqual([path, 403]);
      }
      await page.goto(`${running.system.runtime().app}/developers/tokens`);
      expect(new URL(page.url()).pathname).toBe("/developers/tokens");
      expect(await page.getByRole("main").textContent()).not.toContain("Forged");
    },
    timeoutMs,
  );
});
