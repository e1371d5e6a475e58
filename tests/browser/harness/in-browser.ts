import fs from "node:fs";
import { afterAll, beforeAll, describe } from "@jest/globals";
import type { BrowserContext, BrowserContextOptions } from "playwright-core";
import { type System, startSystem, temporaryFolder } from "../../e2e/harness/system.ts";
import { startBrowser, type TestBrowser, type Visit } from "./browser.ts";
import { chromium } from "./chromium.ts";
import { logIn } from "./typing.ts";

export const timeoutMs = 240_000;

/** Tests load pages faster than a member, whose requests the API limits. */
export const manyRequests = { SVC_RATE_LIMIT_SESSION: "10000" };

/** The system and the browser of a block of tests, from its first hook on. */
export interface Running {
  readonly system: System;
  readonly browser: TestBrowser;
  /** A new visit of the demo member, who is signed in and reached the path. Only the first signs in by the form. */
  signIn(path?: string, options?: BrowserContextOptions): Promise<Visit>;
}

export interface Start {
  /** Default: `startSystem` with `manyRequests`. */
  readonly start?: (dataDir: string) => Promise<System>;
  /** Font configuration, as for `startBrowser`. */
  readonly fontConfig?: string;
}

/** `describe` for tests with the whole system and a browser; skipped on a machine without a browser. */
export function inBrowser(
  name: string,
  tests: (running: Running) => void,
  { start = (dataDir) => startSystem({ dataDir, environment: manyRequests }), fontConfig }: Start = {},
): void {
  (chromium ? describe : describe.skip)(name, () => {
    const dataDir = temporaryFolder();
    let system: System | undefined;
    let browser: TestBrowser | undefined;
    let session: Awaited<ReturnType<BrowserContext["cookies"]>> = [];
    const started = <Part>(part: Part | undefined): Part => {
      if (part === undefined) throw new Error("The system and the browser start before the tests, not before hooks.");
      return part;
    };
    beforeAll(async () => {
      [system, browser] = await Promise.all([start(dataDir), startBrowser(fontConfig ? { fontConfig } : {})]);
    }, timeoutMs);
    tests({
      get system() {
        return started(system);
      },
      get browser() {
        return started(browser);
      },
      async signIn(path = "/shipments", visitOptions = {}) {
        const { app, login } = started(system).runtime();
        const visit = await started(browser).visit(app, visitOptions);
        const { page } = visit;
        await page.context().addCookies(session);
        await page.goto(`${app}${path}`);
        // The first visit, and those after a test that signed out.
        if (page.url().startsWith(`${app}/login`)) {
          await logIn(page, login);
          await page.waitForURL(`${app}${path}`);
          session = await page.context().cookies();
        }
        return visit;
      },
    });
    afterAll(async () => {
      await browser?.close();
      await system?.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    });
  });
}
