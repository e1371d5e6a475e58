import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";

const root = path.resolve(import.meta.dirname, "../..");
const folder = path.join(root, ".github/workflows");

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
}
interface Job {
  readonly steps?: readonly Step[];
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
}
interface Workflow {
  readonly permissions?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}
const workflows = fs
  .readdirSync(folder)
  .map((file) => [file, parse(fs.readFileSync(path.join(folder, file), "utf8")) as Workflow] as const);
const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps = [] }) => steps);

describe.each(workflows)("the workflow %s", (file, workflow) => {
  test("may read the repository, and each job declares its other permissions", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
  });

  test("has a time limit for each job", () => {
    const unlimited = Object.entries(workflow.jobs).filter(([, job]) => !job.uses && !job["timeout-minutes"]);
    expect(unlimited.map(([name]) => name)).toEqual([]);
  });

  test("leaves no credentials in a checkout, and names each action by its commit and version", () => {
    for (const { uses = "", with: inputs } of stepsOf(workflow)) {
      if (uses.startsWith("actions/checkout@")) expect(inputs).toMatchObject({ "persist-credentials": false });
    }
    const text = fs.readFileSync(path.join(folder, file), "utf8");
    for (const [, used] of text.matchAll(/^ *(?:- )?uses: (?!\.\/)(.*)$/gm))
      expect(used).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("runs scripts and workflows that exist", () => {
    const scripts = JSON.stringify(stepsOf(workflow)).match(/scripts\/[\w/-]+\.(?:ts|mjs)/g) ?? [];
    const called = Object.values(workflow.jobs).flatMap(({ uses }) => uses ?? []);
    for (const file of [...scripts, ...called])
      expect([file, fs.existsSync(path.join(root, file))]).toEqual([file, true]);
  });
});

test("lets only publishing jobs sign for this repository", () => {
  const signing = workflows.flatMap(([file, { jobs }]) =>
    Object.entries(jobs).flatMap(([name, { permissions }]) => (permissions?.["id-token"] ? [`${file} ${name}`] : [])),
  );
  expect(signing.toSorted()).toEqual([
    "images.yml image",
    "release.yml images",
    "release.yml packages",
    "release.yml release",
  ]);
});
