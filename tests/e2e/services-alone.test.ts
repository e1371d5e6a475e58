import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { startProgram } from "@svc/testkit";
import { repository } from "./harness/system.ts";

/** Variables that each service requires. */
const required = {
  api: ["PORT", "DATABASE_URL", "SVC_SECRET_KEY"],
  "carrier-sandbox": ["PORT", "SVC_SANDBOX_DATA_DIR"],
  deeplink: ["PORT", "DATABASE_URL"],
  mcp: ["PORT"],
  "tracking-worker": ["PORT", "DATABASE_URL"],
  "webhook-worker": ["PORT", "DATABASE_URL", "SVC_QUEUE_URL", "SVC_SECRET_KEY"],
};

describe("each service started alone", () => {
  test.each(Object.entries(required))(
    "%s names everything that is wrong with its environment at once",
    async (name, variables) => {
      const folder = path.join(repository, "apps", name);
      const environment = Object.fromEntries(
        variables.map((variable) => [variable, variable === "PORT" ? "no port" : ""]),
      );
      const service = startProgram(["dist/main.js"], { cwd: folder, environment });
      expect((await service.exited).code).toBe(1);
      const lines = service.output().trim().split("\n");
      expect(lines[0]).toBe(`${name} cannot start: ${variables.length} problem(s) in its environment.`);
      expect(
        lines
          .slice(1)
          .map((line) => line.trim().split(" ")[0])
          .sort(),
      ).toEqual([...variables].sort());
    },
  );
});
