import fs from "node:fs";
import path from "node:path";
import axe from "axe-core";
import { type BrowserContextOptions, chromium as engine, type Page } from "playwright-core";
import { repository } from "../../e2e/harness/system.ts";
import { chromium } from "./chromium.ts";

/** Screenshots of the last run, for review. */
const pictures = path.join(repository, "tests/browser/screenshots");

export const sizes = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 900 },
} as const;

/** A page of a browser that has nothing of an earlier one: no cookie, no cache. */
export interface Visit {
  readonly page: Page;
  /** Problems since the last call: script errors, violations of the security policy, requests to other origins. */
  takeProblems(): string[];
  /** Kept as tests/browser/screenshots/<name>.png. */
  picture(name: string): Promise<void>;
  /**
   * Returns the violations that axe finds in the page as it is, by WCAG 2.2 A and AA and best practice, or by the given
   * rules of axe.
   */
  accessibilityProblems(rules?: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

export interface TestBrowser {
  visit(origin: string, options?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

const everyRule = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** `fontConfig`: path of a configuration of fontconfig that replaces that of the machine. */
export async function startBrowser({ fontConfig }: { readonly fontConfig?: string } = {}): Promise<TestBrowser> {
  if (chromium === undefined) throw new Error("There is no Chromium on this machine.");
  const env = fontConfig === undefined ? process.env : { ...process.env, FONTCONFIG_FILE: fontConfig };
  // The system's user may be root, whom Chromium's sandbox refuses; only our own pages are loaded.
  const browser = await engine.launch({ executablePath: chromium, args: flags, chromiumSandbox: false, env });

  return {
    async visit(origin, options = {}) {
      const context = await browser.newContext({ viewport: sizes.desktop, ...options });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
      page.on("console", (message) => {
        // An answer like 404 or 422 is noted by the browser, and is what the test looks at itself.
        const isStatus = message.text().startsWith("Failed to load resource: the server responded");
        if (message.type() === "error" && !isStatus) problems.push(`console: ${message.text()}`);
      });
      page.on("request", (request) => {
        if (new URL(request.url()).origin !== origin) problems.push(`other origin: ${request.url()}`);
      });
      return {
        page,
        takeProblems: () => problems.splice(0),
        async picture(name) {
          fs.mkdirSync(pictures, { recursive: true });
          await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
        },
        async accessibilityProblems(rules = everyRule) {
          if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
          const { violations } = await page.evaluate(
            (runOnly) =>
              (globalThis as unknown as { axe: typeof axe }).axe.run({
                runOnly: [...runOnly],
                resultTypes: ["violations"],
              }),
            rules,
          );
          return violations.flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ""}`),
          );
        },
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}
