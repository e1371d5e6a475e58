import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { findOtherLauncher, removeRuntimeFile } from "./runtime-file.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-runtime-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test.each([
  ["no JSON", "{"],
  ["without processes", "{}"],
  ["of a launcher that has ended", '{"pids":{"launcher":4194305}}'],
])("a runtime file that is %s may be overwritten, and is not removed by another launcher", (_what, text) => {
  const file = path.join(folder, "runtime.json");
  fs.writeFileSync(file, text);
  expect(findOtherLauncher(file)).toBeUndefined();
  removeRuntimeFile(file, process.pid);
  expect(fs.existsSync(file)).toBe(true);
});
