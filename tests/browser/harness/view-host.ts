import fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import axe from "axe-core";
import type { Frame, Page } from "playwright-core";
import { build } from "tsup";
import { repository } from "../../e2e/harness/system.ts";
import type { TestBrowser, Visit } from "./browser.ts";
import type { HostPage, ToolResultView } from "./view-host-page.ts";

/** Capabilities that a client with views declares. */
export const viewCapabilities = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};

interface ViewContents {
  readonly text: string;
  readonly mimeType?: string;
}

/** The policy that a host makes of empty domains (SEP-1865), on an origin that nothing else has. */
const policy = [
  "sandbox allow-scripts",
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
].join("; ");

async function bundledPage(): Promise<string> {
  const outDir = fs.mkdtempSync(path.join(os.tmpdir(), "svc-view-host-"));
  try {
    await build({
      entry: { host: path.join(repository, "tests/browser/harness/view-host-page.ts") },
      config: false,
      format: "iife",
      platform: "browser",
      outDir,
      noExternal: [/./],
      dts: false,
      silent: true,
    });
    return fs.readFileSync(path.join(outDir, "host.global.js"), "utf8");
  } finally {
    fs.rmSync(outDir, { recursive: true, force: true });
  }
}

const styles =
  "body{margin:0;background:light-dark(#fff,#111)}iframe{width:100%;min-height:5rem;border:0;display:block}:root{color-scheme:light dark}";

/** A host in a browser: the package's bridge in the page, the MCP client of the test behind it. */
export interface ViewHost {
  readonly visit: Visit;
  readonly page: Page;
  /** Addresses that the view had opened, oldest first. */
  readonly opened: readonly string[];
  /** Names of the tools that the view called, oldest first. */
  readonly called: readonly string[];
  /** The view of that resource with the result of a call. */
  show(uri: string, result: ToolResultView): Promise<Frame>;
  setTheme(theme: ToolResultView["theme"]): Promise<void>;
  /** Returns the violations that axe finds in the view. */
  accessibilityProblems(frame: Frame): Promise<string[]>;
  close(): Promise<void>;
}

export async function startViewHost(browser: TestBrowser, client: Client): Promise<ViewHost> {
  const script = await bundledPage();
  let view = "";
  const server = createServer((request, response) => {
    if (request.url === "/view") {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy });
      response.end(view);
      return;
    }
    response.writeHead(request.url === "/" ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<!doctype html><html lang="en"><title>Host</title><style>${styles}</style><body></body><script>${script.replaceAll("</script", "<\\/script")}</script></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const visit = await browser.visit(origin, { viewport: { width: 800, height: 900 } });
  const { page } = visit;
  const opened: string[] = [];
  const called: string[] = [];
  await page.exposeFunction("callServerTool", async (params: Parameters<Client["callTool"]>[0]) => {
    called.push(params.name);
    return client.callTool(params);
  });
  await page.exposeFunction("openPage", (url: string) => void opened.push(url));
  await page.goto(origin);
  return {
    visit,
    page,
    opened,
    called,
    async show(uri, result) {
      const { contents } = await client.readResource({ uri });
      view = (contents[0] as ViewContents).text;
      await page.evaluate((one) => (globalThis as unknown as HostPage).showView(one), result);
      const frame = page.frame({ url: `${origin}/view` });
      if (!frame) throw new Error("The host shows no view.");
      return frame;
    },
    setTheme: (theme) => page.evaluate((one) => (globalThis as unknown as HostPage).setTheme(one), theme),
    async accessibilityProblems(frame) {
      await frame.evaluate(axe.source);
      const { violations } = await frame.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
          runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
        }),
      );
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    },
    async close() {
      await visit.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
