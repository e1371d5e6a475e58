import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { repository } from "./repository.ts";

const metricName = /\bname: "(svc_[a-z_]+)"/g;
const documentedName = /`(svc_[a-z_]+)(?:\{[a-z_,]+\})?`/g;

const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = ""]) => name);

function sources(): string[] {
  return ["apps", "packages"]
    .flatMap((folder) => fs.globSync(path.join(repository, folder, "*/src/**/*.ts")))
    .filter((file) => !file.endsWith(".test.ts") && !file.includes("/generated/"));
}

test("docs/observability.md documents every metric, and no other", () => {
  const declared = sources().flatMap((file) => namesIn(fs.readFileSync(file, "utf8"), metricName));
  const documented = namesIn(fs.readFileSync(path.join(repository, "docs/observability.md"), "utf8"), documentedName);
  expect(declared.length).toBeGreaterThan(10);
  expect(documented.toSorted()).toEqual(declared.toSorted());
});
