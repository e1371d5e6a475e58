import { expect, test } from "@jest/globals";
import { projectsLast } from "./projects-last.ts";

test.each([
  [["packages/domain/"], ["packages/domain/"]],
  [
    ["packages/domain/", "--selectProjects", "unit", "integration"],
    ["packages/domain/", "--selectProjects", "unit", "integration"],
  ],
  [
    ["--selectProjects", "browser", "tests/browser/tasks.test.ts"],
    ["tests/browser/tasks.test.ts", "--selectProjects", "browser"],
  ],
  [
    ["--selectProjects", "faults", "--maxWorkers=1"],
    ["--maxWorkers=1", "--selectProjects", "faults"],
  ],
])("%j become %j", (input, expected) => {
  expect(projectsLast(input)).toEqual(expected);
});
