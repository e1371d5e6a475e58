import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { repository } from "./repository.mjs";

test("is CycloneDX, and lists what the services run with and no tool", () => {
  const program = path.join(repository, "scripts/run.mjs");
  const output = execFileSync(process.execPath, [program, "sbom"], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const { bomFormat, components } = JSON.parse(output) as { bomFormat: string; components: { name: string }[] };
  expect(bomFormat).toBe("CycloneDX");
  const names = new Set(components.map(({ name }) => name));
  for (const name of ["express", "pg", "bullmq", "undici", "pino"])
    expect([name, names.has(name)]).toEqual([name, true]);
  for (const name of ["jest", "tsup", "playwright-core"]) expect([name, names.has(name)]).toEqual([name, false]);
});
