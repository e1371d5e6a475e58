import { describe, expect, test } from "@jest/globals";
import { runCommand } from "./testing/run-command.ts";

const config = (service: string, environment: Record<string, string>, isTerminal = false, ...args: string[]) =>
  runCommand(["config", service, ...args], { environment, isTerminal });

const rowsOf = (stdout: string) =>
  new Map(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map(({ variable, ...rest }) => [variable, rest]),
  );

describe("svc-admin config", () => {
  test("prints each variable with its value and source, and no secret", async () => {
    const { code, stdout, stderr } = await config("webhook-worker", {
      PORT: "4010",
      DATABASE_URL: "postgresql://svc:hunter2@db.example/svc?sslpassword=hunter3",
      SVC_QUEUE_URL: "redis://:hunter4@cache.example:6379",
      SVC_SECRET_KEY: "hunter5",
      SVC_WEBHOOK_FAST_JOBS: " 32 ",
      SVC_WEBHOOK_SLOW_JOBS: "",
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).not.toContain("hunter");
    const rows = rowsOf(stdout);
    expect(rows.get("DATABASE_URL").value).toContain("@db.example/svc");
    expect(rows.get("SVC_SECRET_KEY")).toEqual({ value: "********", source: "environment" });
    expect(rows.get("SVC_WEBHOOK_FAST_JOBS")).toEqual({ value: "32", source: "environment" });
    expect(rows.get("SVC_WEBHOOK_SLOW_JOBS")).toEqual({ value: "64", source: "default" });
    expect(rows.get("SVC_EGRESS_ALLOW")).toEqual({ value: "", source: "not set" });
  });

  test("prints the servers of a Redis with Sentinel, and neither of its passwords", async () => {
    const { stdout } = await config("api", {
      REDIS_URL: "redis+sentinel://svc:hunter2@one.example:26379,two.example/main?sentinelPassword=hunter3",
    });
    expect(rowsOf(stdout).get("REDIS_URL").value).toBe(
      "redis+sentinel://svc:********@one.example:26379,two.example/main?sentinelPassword=********",
    );
    expect(stdout).not.toContain("hunter");
  });

  test("names missing variables and those that no service reads", async () => {
    const { code, stdout, stderr } = await config("api", { SVC_SECRETKEY: "hunter2", DATABASE_URL: "svc:hunter3@db" });
    expect(code).toBe(1);
    expect(stderr).toBe(
      "SVC_SECRETKEY is read by no service; is SVC_SECRET_KEY meant?\napi does not start: SVC_SECRET_KEY missing.\n",
    );
    expect(stdout + stderr).not.toContain("hunter");
    expect(rowsOf(stdout).get("SVC_SECRET_KEY")).toEqual({ value: "", source: "missing" });
  });

  test("--json prints JSON lines on a terminal too", async () => {
    expect((await config("carrier-sandbox", {}, true)).stdout).toMatch(/^variable +value +source\n/);
    expect(rowsOf((await config("carrier-sandbox", {}, true, "--json")).stdout).size).toBeGreaterThan(5);
  });

  test("rejects an unknown service and names the existing ones", async () => {
    const { code, stderr } = await config("apj", {});
    expect(code).toBe(2);
    expect(stderr).toContain("Allowed choices are api, deeplink, mcp");
  });
});
