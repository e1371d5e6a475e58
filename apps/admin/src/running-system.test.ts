import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { runningSystem } from "./running-system.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-admin-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const nothing = { databaseUrl: undefined, carriers: undefined };

test("finds the database and the carrier of the system that runs in the folder, unless its file is another user's", () => {
  const userId = process.getuid?.() ?? 0;
  expect(runningSystem(folder, userId)).toEqual(nothing);
  const file = path.join(folder, ".svc", "runtime.json");
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, JSON.stringify({ databaseUrl: "postgres://here/svc", sandbox: "http://127.0.0.1:4003" }));
  expect(runningSystem(folder, userId)).toEqual({
    databaseUrl: "postgres://here/svc",
    carriers: '[{"scac":"SBXL","protocol":"dcsa-2.2","baseUrl":"http://127.0.0.1:4003"}]',
  });
  expect(runningSystem(folder, userId + 1)).toEqual(nothing);
  fs.writeFileSync(file, "{");
  expect(runningSystem(folder, userId)).toEqual(nothing);
});
