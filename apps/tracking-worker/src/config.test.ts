import { describe, expect, test } from "@jest/globals";
import { loadConfig } from "./config.ts";

const required = { DATABASE_URL: "postgresql://database.test/svc", PORT: "0" };

describe("the variables of the tracking worker", () => {
  test("archive nothing by default", () => {
    expect(loadConfig(required)).toMatchObject({ SVC_ARCHIVE_REGION: "us-east-1" });
    expect(loadConfig(required).SVC_ARCHIVE_AFTER_DAYS).toBeUndefined();
  });

  test("need an object store to archive, and its key without repeating it", () => {
    expect(() => loadConfig({ ...required, SVC_ARCHIVE_AFTER_DAYS: "90" })).toThrow(
      "SVC_ARCHIVE_AFTER_DAYS needs SVC_ARCHIVE_URL",
    );
    const key = { SVC_ARCHIVE_URL: "https://objects.test/bucket", SVC_ARCHIVE_SECRET_ACCESS_KEY: "hidden" };
    expect(() => loadConfig({ ...required, ...key })).toThrow(/^(?!.*hidden).*belong together/s);
  });
});
