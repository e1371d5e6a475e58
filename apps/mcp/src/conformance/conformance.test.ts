import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { waitForExit } from "@svc/local-stores";
import { startServiceProcess } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startFakeApi } from "../testing/fake-api.ts";
import { startMcp } from "../testing/start-mcp.ts";
import { fixtureSurface } from "./testing/fixture-surface.ts";

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const suite = require.resolve("@modelcontextprotocol/conformance/dist/index.js");
/** The suite sends no Authorization; the server's own token is then used. */
const ownToken = "svc_test_alpha";

const api = started(startFakeApi);
const product = started(() =>
  startServiceProcess(path.join(here, "../main.ts"), {
    SVC_API_BASE_URL: api.baseUrl,
    SVC_API_TOKEN: ownToken,
    SVC_MCP_LEND_TOKEN: "true",
    LOG_LEVEL: "warn",
  }),
);
const fixture = started(() => startMcp(api.baseUrl, { ownToken, surface: fixtureSurface }));

interface Verdict {
  readonly code: number | null;
  readonly output: string;
  /** How many checks of each scenario the server passed, and failed. */
  readonly scenarios: Readonly<Record<string, { readonly passed: number; readonly failed: number }>>;
}

/**
 * The suite's scenarios that a revision requires, each of which must have the result of the baseline: the run fails
 * for a scenario that fails and is not listed, and for one that is listed and passes.
 */
async function conform(url: string, revision: string, baseline: string): Promise<Verdict> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-conformance-"));
  try {
    const args = ["server", "--url", `${url}/mcp`, "--requirements", revision, "--timeout", "30000", "-o", folder];
    const child = spawn(process.execPath, [suite, ...args, "--expected-failures", path.join(here, baseline)]);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += String(chunk)));
    const { code } = await waitForExit(child);
    const lines = output.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm);
    const scenarios = Object.fromEntries(
      [...lines].map(([, name, passed, failed]) => [name, { passed: Number(passed), failed: Number(failed) }]),
    );
    return { code, output, scenarios };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const baselineScenarios = {
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
    "caching",
    "sep-2164-resource-not-found",
    "http-header-validation",
  ],
};

describe.each(["2025-11-25", "2026-07-28"] as const)("the conformance suite, %s [spec: mcp.endpoint]", (revision) => {
  test("the product passes every scenario that asks for no fixture", async () => {
    const { code, output, scenarios } = await conform(product.url, revision, `product-${revision}.yml`);
    expect(code === 0 ? "" : output).toBe("");
    for (const name of baselineScenarios[revision]) {
      expect([name, scenarios[name]]).toEqual([name, { passed: expect.any(Number), failed: 0 }]);
      expect(scenarios[name]?.passed).toBeGreaterThan(1);
    }
    // Only the checks of this scenario that call fixtures fail.
    if (revision === "2026-07-28") expect(scenarios["server-stateless"]).toEqual({ passed: 24, failed: 4 });
  });

  test("with the suite's fixtures behind it, passes all but the suite's own elicitations", async () => {
    const { code, output, scenarios } = await conform(fixture.url, revision, `fixture-${revision}.yml`);
    expect(code === 0 ? "" : output).toBe("");
    expect(scenarios["tools-call-with-progress"]).toEqual({ passed: expect.any(Number), failed: 0 });
  });
});
