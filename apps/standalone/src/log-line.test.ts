import { describe, expect, test } from "@jest/globals";
import { renderLogLine } from "./log-line.ts";

const plain = { colour: false };
const time = new Date(2026, 10, 21, 12, 0, 1).toISOString();

describe("the shared log", () => {
  test("shows time, level, message and fields of a service's record", () => {
    const record = { level: "info", time, service: "api", msg: "request.completed", status: 200, path: "/v2/a b" };
    expect(renderLogLine("api", JSON.stringify(record), plain)).toBe(
      'api              12:00:01 info  request.completed status=200 path="/v2/a b"',
    );
  });

  test("shows an error by its message", () => {
    const record = {
      level: "error",
      time,
      msg: "delivery.failed",
      err: { type: "Error", message: "no route", stack: "…" },
    };
    expect(renderLogLine("api", JSON.stringify(record), plain)).toMatch(/error delivery\.failed err="no route"$/);
  });

  test("shows lines that are not records unchanged", () => {
    expect(renderLogLine("mcp", "mcp cannot start: port 1 is in use.", plain)).toBe(
      "mcp              mcp cannot start: port 1 is in use.",
    );
    expect(renderLogLine("mcp", "{broken", plain)).toBe("mcp              {broken");
  });

  test("colours warnings and errors on a terminal", () => {
    const line = JSON.stringify({ level: "warn", time, msg: "late" });
    expect(renderLogLine("api", line, { colour: true })).toContain("\u001b[33mwarn ");
    expect(renderLogLine("api", line, plain)).not.toContain("\u001b");
  });
});
