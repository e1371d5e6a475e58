import { spawn } from "node:child_process";
import fs from "node:fs";
import net, { type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { repository } from "./repository.mjs";

/** User and group without rights, for tests that run as root. */
const unprivilegedId = 65_534;

let folder: string;
let checkout: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-start-"));
  fs.chmodSync(folder, 0o755);
  checkout = path.join(folder, "checkout");
  const needed = ["scripts", "tools/node", "apps/standalone/src/usage.txt"];
  for (const file of [...needed, "package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"]) {
    const filter = (source: string) => path.basename(source) !== "node_modules";
    fs.cpSync(path.join(repository, file), path.join(checkout, file), { recursive: true, filter });
  }
});
afterAll(() => {
  fs.chmodSync(checkout, 0o755);
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Runs a program in a new checkout, where nothing was fetched yet. */
function run(program: string, args: readonly string[], registry: string, isUnprivileged = false) {
  const env = {
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
    HOME: folder,
    npm_config_registry: registry,
    npm_config_cache: path.join(folder, "npm-cache"),
  };
  const user = isUnprivileged && process.getuid?.() === 0 ? { uid: unprivilegedId, gid: unprivilegedId } : {};
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    const child = spawn(program, args, { cwd: checkout, env, stdio: ["ignore", "pipe", "pipe"], ...user });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    }
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...output }));
  });
}

const start = (registry: string, ...args: string[]) =>
  run(process.execPath, ["scripts/run.mjs", "start", ...args], registry);
const unreachableUrl = "http://127.0.0.1:1/";

describe("npm start in a new checkout", () => {
  test("prints its options before anything is installed", async () => {
    const { code, stdout, stderr } = await start(unreachableUrl, "--port-base", "5000", "--help");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^npm start -- \[options\]\n/);
    expect(fs.existsSync(path.join(checkout, "node_modules"))).toBe(false);
  });

  test("names a registry that refuses connections, in one sentence", async () => {
    const { code, stderr } = await start(unreachableUrl);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The package registry http:\/\/127\.0\.0\.1:1\/ cannot be reached \(ECONNREFUSED\)[^\n]+\n$/,
    );
  });

  test("names a registry that never answers, in one sentence", async () => {
    const sockets = new Set<net.Socket>();
    const silent = net.createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    try {
      const { code, stderr } = await start(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^The package registry \S+ cannot be reached \(no answer in 8 s\)[^\n]+\n$/);
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });

  test("names a checkout that is read-only, in one sentence", async () => {
    fs.chmodSync(checkout, 0o555);
    try {
      const { code, stderr } = await run(process.execPath, ["scripts/run.mjs", "start"], unreachableUrl, true);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^\S+checkout is read-only for this user \(EACCES\)\.[^\n]+\n$/);
    } finally {
      fs.chmodSync(checkout, 0o755);
    }
  });

  test("npm install names the command to use instead", async () => {
    const { code, stderr } = await run("npm", ["install"], unreachableUrl);
    expect(code).not.toBe(0);
    expect(stderr).toContain("Use npm start: it installs the packages itself");
  });
});
