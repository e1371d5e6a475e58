import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { World } from "../world.ts";
import { findAccess, sameService } from "./find-access.ts";
import { loginFile, writeLogin } from "./login-file.ts";

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "svc-access-"));
});
afterEach(() => fs.rmSync(home, { recursive: true }));

const worldOf = (environment: Record<string, string>): World => ({
  environment,
  cwd: home,
  home,
  userId: process.getuid?.(),
  input: Readable.from([]),
  write: async () => undefined,
  writeError: () => undefined,
  isTerminal: false,
  columns: 80,
  signal: new AbortController().signal,
  run: async () => undefined,
});

const stored = { token: "stored", baseUrl: "https://svc.example/v2" };

describe("which token goes where", () => {
  test("prefers an option to the environment, and the environment to a stored token", () => {
    const environment = { SVC_API_TOKEN: "environment", SVC_API_BASE_URL: "http://e/v2" };
    writeLogin(loginFile(worldOf({})), stored);
    expect(findAccess({ token: "option" }, worldOf(environment))).toMatchObject({
      token: "option",
      baseUrl: "http://e/v2",
    });
    expect(findAccess({}, worldOf(environment))).toMatchObject({ token: "environment", source: "SVC_API_TOKEN" });
    expect(findAccess({}, worldOf({}))).toMatchObject(stored);
  });

  test("sends a stored token to its own address only", () => {
    writeLogin(loginFile(worldOf({})), stored);
    expect(findAccess({ baseUrl: "https://svc.example/" }, worldOf({}))?.token).toBe("stored");
    expect(findAccess({ baseUrl: "https://other.example/v2" }, worldOf({}))).toBeUndefined();
    expect(findAccess({}, worldOf({ SVC_API_BASE_URL: "https://svc.example.evil/v2" }))).toBeUndefined();
  });

  test("uses the running system by default", () => {
    fs.mkdirSync(path.join(home, ".svc"));
    const runtime = { token: "demo", apiBaseUrl: "http://127.0.0.1:4000/v2" };
    fs.writeFileSync(path.join(home, ".svc/runtime.json"), JSON.stringify(runtime));
    expect(findAccess({}, worldOf({}))).toMatchObject({ token: "demo", baseUrl: "http://127.0.0.1:4000/v2" });
    expect(findAccess({}, { ...worldOf({}), userId: 4_000_000 })).toBeUndefined();
  });

  test("names the next step when a file holds no login", () => {
    writeLogin(loginFile(worldOf({})), stored);
    fs.writeFileSync(loginFile(worldOf({})), "{");
    expect(() => findAccess({}, worldOf({}))).toThrow(/svc login/);
  });

  test("addresses of one service are recognised, and of no other", () => {
    expect(sameService("https://svc.example", "https://SVC.example/v2/")).toBe(true);
    expect(sameService("https://svc.example", "http://svc.example")).toBe(false);
  });
});
