import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { archiveProblems, archiveVariables, openArchiveStore } from "./archive-settings.ts";

const parse = (environment: Record<string, string>) => z.object(archiveVariables).safeParse(environment);
const problemsOf = (environment: Record<string, string>): string[] => {
  const { data, error } = parse(environment);
  return data ? archiveProblems(data) : (error?.issues.map(({ message }) => message) ?? []);
};
const key = { SVC_ARCHIVE_ACCESS_KEY_ID: "AKIA", SVC_ARCHIVE_SECRET_ACCESS_KEY: "hidden" };

describe("the variables of the archive", () => {
  test.each([
    [{}],
    [{ SVC_ARCHIVE_URL: "file:///var/lib/svc/archive" }],
    [{ SVC_ARCHIVE_URL: "https://s3.eu-central-1.amazonaws.com/bucket/prefix", ...key }],
    [{ SVC_ARCHIVE_URL: "http://objects.internal:9000/bucket", ...key }],
  ])("accept %j", (environment) => {
    expect(problemsOf(environment)).toEqual([]);
  });

  test.each([
    [{ SVC_ARCHIVE_URL: "file://var/lib" }, "three slashes"],
    [{ SVC_ARCHIVE_URL: "file:///" }, "three slashes"],
    [{ SVC_ARCHIVE_URL: "ftp://files.example/" }, "Invalid URL"],
    [{ SVC_ARCHIVE_URL: "https://objects.example/bucket" }, "is a bucket"],
    [{ SVC_ARCHIVE_ACCESS_KEY_ID: "AKIA" }, "belong together"],
    [{ SVC_ARCHIVE_URL: "https://AKIA:hidden@objects.example/bucket", ...key }, "no user and password"],
    [{ SVC_ARCHIVE_URL: "https://objects.example/bucket?x=hidden", ...key }, "no query"],
  ])("refuse %j without repeating a secret", (environment, problem) => {
    const problems = problemsOf(environment).join("\n");
    expect(problems).toContain(problem);
    expect(problems).not.toContain("hidden");
  });

  test("have no store by default", () => {
    expect(openArchiveStore(z.object(archiveVariables).parse({}))).toBeNull();
  });
});
