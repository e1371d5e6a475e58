import { spawn } from "node:child_process";
import fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import vm from "node:vm";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { shipmentId, wireShipment } from "@svc/sdk/testing";
import { findChromium } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { publint } from "publint";
import { exampleProgram } from "../packages/examples.ts";
import { bundleForBrowser, packAndInstall, runProgram, tsc } from "../packages/packed-package.ts";
import { startApiProcess } from "./harness/api-process.ts";
import { repository } from "./harness/system.ts";

const browser = findChromium();
const readme = path.join(repository, "packages/sdk/README.md");

const sdk = started(() => packAndInstall("packages/sdk"));
afterAll(() => sdk?.remove());

const writeInto = (file: string, text: string) => fs.writeFileSync(path.join(sdk.consumer, file), text);
const tarballData = () => new Uint8Array(fs.readFileSync(sdk.tarball));

describe("the packed client library", () => {
  test("holds code, types, README and licence, needs no other package, and no test helper is in it", () => {
    const folder = path.join(sdk.consumer, "node_modules/@svc/sdk");
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    expect(manifest.dependencies).toBeUndefined();
    expect(fs.readdirSync(path.join(sdk.consumer, "node_modules/@svc"))).toEqual(["sdk"]);
    const files = fs.readdirSync(folder, { recursive: true }).map(String);
    expect(files).toEqual(
      expect.arrayContaining(["index.js", "webhooks.js", "README.md", "LICENSE", "types/index.d.ts"]),
    );
    expect(files.filter((file) => /test/.test(file))).toEqual([]);
    for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name))) {
      const text = fs.readFileSync(path.join(folder, file), "utf8");
      expect(text).not.toMatch(/(from|import\() ?"(node:|zod|@svc\/)/);
    }
  });

  test("publint reports no problem", async () => {
    const data = tarballData();
    const { messages } = await publint({ pack: { tarball: data.buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  test("are-the-types-wrong finds no fault, for programs that are modules", async () => {
    const analysis = await checkPackage(createPackageFromTarballData(tarballData()));
    if (!analysis.types) throw new Error("The package has no types.");
    // Both are about CommonJS: a package of modules only is loaded by require() as Node does it, and not by old
    // resolvers.
    const about = new Set(["node16-esm", "bundler"]);
    const problems = analysis.problems.filter(
      (problem) => !("resolutionKind" in problem) || about.has(problem.resolutionKind),
    );
    expect(problems).toEqual([]);
  });

  test("the README's examples and a receiver compile against the installed types alone", async () => {
    writeInto("readme.ts", exampleProgram(readme));
    writeInto(
      "types.ts",
      `import { createClient, type Client, type MappedShipment, type ShipmentResource } from "@svc/sdk";
import type { WebhookEvent } from "@svc/sdk/webhooks";
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <T extends true>(): void => undefined;
const client: Client<"mapped"> = createClient({ token: "t", format: "mapped" });
const read = () => client.shipments.get("1");
yes<Is<Awaited<ReturnType<typeof read>>, MappedShipment>>();
yes<Is<MappedShipment["podEtaAt"], string | null>>();
yes<Is<ShipmentResource["attributes"]["pod_eta_at"], string | null>>();
yes<Is<ShipmentResource["relationships"]["pod_terminal"]["data"], { type: "terminal"; id: string } | null>>();
export function told(event: WebhookEvent): string | null {
  if (event.event === "tracking_request.failed") return event.resource?.attributes.failed_reason ?? null;
  // @ts-expect-error no such event
  if (event.event === "container.sunk") return "";
  return event.resource?.type ?? null;
}
`,
    );
    const options = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      target: "es2023",
      module: "nodenext",
      lib: ["es2023", "dom", "dom.asynciterable"],
      types: [],
    };
    // The examples read the environment as a program on Node does.
    writeInto("process.d.ts", "declare const process: { env: Record<string, string | undefined> };\n");
    writeInto("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
    expect(await runProgram(tsc, ["-p", "."], { cwd: sdk.consumer })).toBe("");
  }, 180_000);
});

describe("the packed client library at work", () => {
  const api = started(startApiProcess);
  beforeAll(async () => {
    await api.addShipment(api.tenants[0], {
      number: "MAEU262175000",
      containers: ["MSKU0000006"],
      dischargeLocode: "USLAX",
    });
  }, 180_000);

  test("the README's examples run against the API, in plain Node", async () => {
    const program = exampleProgram(readme);
    writeInto("readme.mts", program);
    const output = await runProgram(process.execPath, ["readme.mts"], {
      cwd: sdk.consumer,
      environment: { SVC_API_TOKEN: api.tenants[0].token, SVC_API_BASE_URL: api.baseUrl },
    });
    const lines = output.trim().split("\n");
    expect(lines).toContain("MSKU0000006 new null");
    expect(lines).toContain("MAEU262175000 Los Angeles");
    expect(lines).toContain("changed meanwhile");
    expect(lines.join("\n")).toMatch(/\/data\/attributes\/tags/);
  }, 180_000);
});

/** Page that uses the library: it reads a record and verifies a delivery. */
const page = `
import { createClient, NotFoundError } from "@svc/sdk";
import { verifyWebhook } from "@svc/sdk/webhooks";
(async () => {
  const client = createClient({ token: "t", baseUrl: globalThis.apiBaseUrl, format: "mapped" });
  const shipment = await client.shipments.get("${shipmentId}");
  const missing = await client.shipments.get("nothing").catch((error) => error instanceof NotFoundError);
  const delivery = { body: "{}", headers: {}, secret: "whsec_c2VjcmV0" };
  const refused = await verifyWebhook(delivery).catch((error) => error.reason);
  return [shipment.billOfLading, missing, refused].join();
})().then(
  (result) => globalThis.report(result),
  (error) => globalThis.report(String(error && error.stack)),
);
`;

const expected = "MAEU123456789,true,no_signature";

/** Serves an API, a page that uses it, and receives the result of the page. */
async function servePage(script: string) {
  let report = (_text: string): void => undefined;
  const result = new Promise<string>((resolve) => (report = resolve));
  const server = createServer((request, response) => {
    const respond = (status: number, type: string, body: string) =>
      response.writeHead(status, { "content-type": type }).end(body);
    const url = decodeURIComponent(request.url ?? "");
    if (url.startsWith("/result?")) report(url.slice("/result?".length));
    if (url === "/") {
      const setUp = `globalThis.apiBaseUrl = location.origin + "/v2"; globalThis.report = (text) => fetch("/result?" + encodeURIComponent(text));`;
      return respond(200, "text/html", `<!doctype html><script>${setUp}</script><script src="/page.js"></script>`);
    }
    if (url === "/page.js") return respond(200, "text/javascript", script);
    if (url.startsWith(`/v2/shipments/${shipmentId}`)) {
      return respond(200, "application/vnd.api+json", JSON.stringify({ data: wireShipment() }));
    }
    return respond(404, "application/vnd.api+json", JSON.stringify({ errors: [{ status: "404", code: "not_found" }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    result,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe("the packed client library in a browser's bundle", () => {
  test("runs without Node", async () => {
    const script = await bundleForBrowser(sdk.consumer, page);
    const served = await servePage(script);
    try {
      const { AbortSignal, AbortController, Headers, TextDecoder, TextEncoder, URL, URLSearchParams } = globalThis;
      const { atob, clearTimeout, crypto, fetch, setTimeout } = globalThis;
      const platform = { AbortSignal, AbortController, Headers, TextDecoder, TextEncoder, URL, URLSearchParams };
      const result = new Promise<string>((resolve) => {
        const globals = {
          atob,
          clearTimeout,
          crypto,
          fetch,
          setTimeout,
          report: resolve,
          apiBaseUrl: `${served.address}/v2`,
        };
        vm.runInNewContext(script, { ...platform, ...globals });
      });
      expect(await result).toBe(expected);
    } finally {
      served.close();
    }
  });

  (browser ? test : test.skip)(
    `runs in Chromium${browser ? "" : " (skipped: there is none here)"}`,
    async () => {
      const served = await servePage(await bundleForBrowser(sdk.consumer, page));
      const profile = fs.mkdtempSync(path.join(os.tmpdir(), "svc-chromium-"));
      const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
      const child = spawn(browser ?? "", [...flags, "--remote-debugging-port=0", served.address], {
        stdio: "ignore",
        detached: true,
      });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      try {
        expect(await served.result).toBe(expected);
      } finally {
        if (child.pid) process.kill(-child.pid, "SIGKILL");
        await ended;
        served.close();
        fs.rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
      }
    },
    60_000,
  );
});
