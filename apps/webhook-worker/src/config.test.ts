import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { loadConfig } from "./config.ts";

const complete = {
  PORT: "4010",
  DATABASE_URL: "postgresql://localhost/svc",
  SVC_QUEUE_URL: "redis://localhost",
  SVC_SECRET_KEY: randomBytes(32).toString("base64"),
};

describe("configuration", () => {
  test("has defaults", () => {
    expect(loadConfig(complete)).toMatchObject({
      SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: false,
      SVC_WEBHOOK_ENDPOINT_LIMIT: 50,
      SVC_QUEUE_PREFIX: "svc",
    });
  });
  test("names all missing and invalid variables without their values", () => {
    const broken = { ...complete, SVC_QUEUE_URL: "amqp://user:hunter2@host", SVC_SECRET_KEY: "" };
    expect(() => loadConfig(broken)).toThrow(/SVC_QUEUE_URL[\s\S]*SVC_SECRET_KEY/);
    expect(() => loadConfig(broken)).not.toThrow(/hunter2/);
  });
  test("accepts former keys after the current one, and rejects other text", () => {
    const keys = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")].join(",");
    expect(loadConfig({ ...complete, SVC_SECRET_KEY: keys }).SVC_SECRET_KEY).toBe(keys);
    for (const wrong of [`${keys},`, "c2hvcnQ=", `${complete.SVC_SECRET_KEY},c2hvcnQ=`]) {
      expect(() => loadConfig({ ...complete, SVC_SECRET_KEY: wrong })).toThrow("SVC_SECRET_KEY");
    }
  });
  test.each(["http://localhost:4000/v2", "http://127.0.0.1:4000/v2", "http://[::1]:4000/v2"])(
    "allows insecure targets at %s",
    (url) => {
      const config = { ...complete, SVC_BASE_URL: url, SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true" };
      expect(loadConfig(config).SVC_WEBHOOK_ALLOW_INSECURE_TARGETS).toBe(true);
    },
  );
  test.each([
    "https://api.example.com/v2",
    "https://localhost.example.com/v2",
    "http://10.0.0.1/v2",
    "http://127.example.com/v2",
  ])("rejects insecure targets at %s", (url) => {
    const config = { ...complete, SVC_BASE_URL: url, SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true" };
    expect(() => loadConfig(config)).toThrow("SVC_WEBHOOK_ALLOW_INSECURE_TARGETS must be off");
  });
});
