import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { inBrowser } from "./harness/in-browser.ts";
import { logIn } from "./harness/typing.ts";

const timeoutMs = 180_000;
const widths = [390, 820, 1440];

inBrowser("a user connects an application", (running) => {
  let application: http.Server;
  let callback: string;

  beforeAll(async () => {
    application = http.createServer((_request, response) => response.end("Connected.")).listen(0, "127.0.0.1");
    await once(application, "listening");
    callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
  }, timeoutMs);
  afterAll(async () => {
    application.close();
  });

  async function authorizationUrl(): Promise<string> {
    const { app, mcp } = running.system.runtime();
    const registered = await fetch(`${app}/oauth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ client_name: "Harbour assistant", redirect_uris: [callback] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const challenge = createHash("sha256").update(randomBytes(32).toString("base64url")).digest("base64url");
    const parameters = {
      response_type: "code",
      client_id,
      redirect_uri: callback,
      state: "kept",
      resource: `${mcp}/mcp`,
      code_challenge: challenge,
      code_challenge_method: "S256",
    };
    return `${app}/oauth/authorize?${new URLSearchParams(parameters)}`;
  }

  test(
    "logs in, chooses permissions, returns to the application and disconnects it, by mouse and keyboard",
    async () => {
      const { app, login } = running.system.runtime();
      const visit = await running.browser.visit(app);
      const { page } = visit;
      await page.goto(await authorizationUrl());
      await logIn(page, login);
      await page.getByRole("heading", { name: "Connect Harbour assistant?" }).waitFor();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await visit.picture(`oauth-consent-${width}`);
      }
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.getByLabel("Read only").click();
      expect(visit.takeProblems()).toEqual([]);
      await page.getByRole("button", { name: "Allow" }).click();
      await page.waitForURL(`${callback}?*`);
      const { searchParams } = new URL(page.url());
      expect(searchParams.get("state")).toBe("kept");
      expect(searchParams.get("code")).toMatch(/\S/);

      await page.goto(`${app}/developers/mcp`);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await visit.picture(`oauth-connected-${width}`);
      }
      expect(await visit.accessibilityProblems()).toEqual([]);
      expect(await page.getByRole("row", { name: "Harbour assistant" }).textContent()).toContain("Read only");
      await page.getByRole("button", { name: "Disconnect Harbour assistant" }).click();
      await page.getByText("The application is disconnected").waitFor();
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "an address that the application did not register is never sent to",
    async () => {
      const { app } = running.system.runtime();
      const visit = await running.browser.visit(app);
      const url = new URL(await authorizationUrl());
      url.searchParams.set("redirect_uri", "https://elsewhere.example/callback");
      await visit.page.goto(url.href);
      expect(await visit.page.getByRole("main").textContent()).toContain("The application's request is not valid");
      await visit.picture("oauth-invalid");
      expect(visit.page.url()).toBe(url.href);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );
});
