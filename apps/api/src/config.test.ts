import { describe, expect, test } from "@jest/globals";
import { loadConfig } from "./config.ts";

const minimal = {
  DATABASE_URL: "postgresql://svc@localhost:5432/svc",
  SVC_SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
};

describe("environment of the API", () => {
  test("needs a database and a key; everything else has a default", () => {
    expect(loadConfig(minimal)).toMatchObject({
      PORT: 4000,
      SVC_BASE_URL: "http://localhost:4000/v2",
      SVC_RATE_LIMIT_DEFAULT: 100,
      SVC_RATE_LIMIT_CREATE_TRACKING_REQUEST: 100,
      SVC_RATE_LIMIT_INFER: 200,
      SVC_RATE_LIMIT_REFRESH: 10,
      SVC_RATE_LIMIT_CARRIER_TEST: 10,
      SVC_WEBHOOK_EGRESS_IPS: [],
      SVC_WEBHOOK_EGRESS_IPS_SINCE: "1970-01-01T00:00:00.000Z",
      SVC_WEBHOOKS_PER_ACCOUNT: 250,
      SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: false,
    });
  });

  test("reports every problem at once, without the values", () => {
    const wrong = {
      DATABASE_URL: "mysql://secret@x",
      SVC_SECRET_KEY: "c2hvcnQ=",
      SVC_WEBHOOK_EGRESS_IPS: "192.0.2.1,host",
      SVC_WEBHOOK_EGRESS_IPS_SINCE: "yesterday",
    };
    const problems = () => loadConfig({ ...wrong, SVC_RATE_LIMIT_INFER: "0" });
    expect(problems).toThrow(/5 problem\(s\)/);
    for (const name of ["DATABASE_URL", "SVC_SECRET_KEY", "SVC_RATE_LIMIT_INFER", "SVC_WEBHOOK_EGRESS_IPS"]) {
      expect(problems).toThrow(`${name} is not valid`);
    }
    expect(problems).toThrow("SVC_WEBHOOK_EGRESS_IPS_SINCE is not valid");
    expect(problems).not.toThrow(/secret@x|c2hvcnQ/);
  });

  test("rejects a webhook limit that could fill a whole claim round", () => {
    const loadWithLimit = (count: string) => () => loadConfig({ ...minimal, SVC_WEBHOOKS_PER_ACCOUNT: count });
    expect(loadWithLimit("400")().SVC_WEBHOOKS_PER_ACCOUNT).toBe(400);
    expect(loadWithLimit("401")).toThrow("must be 400 at most");
  });

  test("requires a time zone in the time since when delivery addresses are valid", () => {
    const since = (text: string) => loadConfig({ ...minimal, SVC_WEBHOOK_EGRESS_IPS_SINCE: text });
    expect(since("2026-11-20T10:00:00+02:00").SVC_WEBHOOK_EGRESS_IPS_SINCE).toBe("2026-11-20T08:00:00.000Z");
    for (const text of ["2026-11-20", "2026-11-20T10:00:00", "2026-02-30T10:00:00Z"]) {
      expect(() => since(text)).toThrow("SVC_WEBHOOK_EGRESS_IPS_SINCE is not valid");
    }
  });

  test("allows insecure webhook targets in development only", () => {
    const insecure = { ...minimal, SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true" };
    expect(loadConfig(insecure).SVC_WEBHOOK_ALLOW_INSECURE_TARGETS).toBe(true);
    expect(() => loadConfig({ ...insecure, SVC_BASE_URL: "https://api.example.com/v2" })).toThrow(/loopback/);
  });

  test("the base address ends in the version", () => {
    expect(loadConfig({ ...minimal, SVC_BASE_URL: "https://api.example.com/v2/" }).SVC_BASE_URL).toBe(
      "https://api.example.com/v2",
    );
    expect(() => loadConfig({ ...minimal, SVC_BASE_URL: "https://api.example.com" })).toThrow(/\/v2/);
  });
});
