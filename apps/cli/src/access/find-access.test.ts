import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { ProcessContext } from "../process-context.ts";
import { findAccess, sameService } from "./find-access.ts";
import { loginFile, writeLogin } from "./login-file.ts";

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "svc-access-"));
});
afterEach(() => fs.rmSync(home, { recursive: true }));

const contextOf = (environment: Record<string, string>): ProcessContext => ({
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
    writeLogin(loginFile(contextOf({})), stored);
    expect(findAccess({ token: "option" }, contextOf(environment))).toMatchObject({
      token: "option",
      baseUrl: "http://e/v2",
    });
    expect(findAccess({}, contextOf(environment))).toMatchObject({ token: "environment", source: "SVC_API_TOKEN" });
    expect(findAccess({}, contextOf({}))).toMatchObject(stored);
  });

  test("sends a stored token to its own address only", () => {
    writeLogin(loginFile(contextOf({})), stored);
    expect(findAccess({ baseUrl: "https://svc.example/" }, contextOf({}))?.token).toBe("stored");
    expect(findAccess({ baseUrl: "https://other.example/v2" }, contextOf({}))).toBeUndefined();
    expect(findAccess({}, contextOf({ SVC_API_BASE_URL: "https://svc.example.evil/v2" }))).toBeUndefined();
  });

  test("uses the running system by default", () => {
    fs.mkdirSync(path.join(home, ".svc"));
    const runtime = { token: "demo", apiBaseUrl: "http://127.0.0.1:4000/v2" };
    fs.writeFileSync(path.join(home, ".svc/runtime.json"), JSON.stringify(runtime));
    expect(findAccess({}, contextOf({}))).toMatchObject({ token: "demo", baseUrl: "http://127.0.0.1:4000/v2" });
    expect(findAccess({}, { ...contextOf({}), userId: 4_000_000 })).toBeUndefined();
  });

  test("names the next step when a file holds no login", () => {
    writeLogin(loginFile(contextOf({})), stored);
    fs.writeFileSync(loginFile(contextOf({})), "{");
    expect(() => findAccess({}, contextOf({}))).toThrow(/svc login/);
  });

  test("addresses of one service are recognised, and of no other", () => {
    expect(sameService("https://svc.example", "https://SVC.example/v2/")).toBe(true);
    expect(sameService("https://svc.example", "http://svc.example")).toBe(false);
  });
});
