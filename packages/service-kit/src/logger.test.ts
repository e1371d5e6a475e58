import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { createLogger } from "./logger.ts";

function logged(write: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  let line = "";
  write(
    createLogger({
      service: "test",
      destination: {
        write: (text) => {
          line += text;
        },
      },
    }),
  );
  return JSON.parse(line) as Record<string, unknown>;
}

test("removes secrets from nested records", () => {
  const request = { headers: { authorization: "Token abc", accept: "*/*" }, token: "abc" };
  expect(logged((logger) => logger.info({ password: "abc", request }, "request.completed"))).toMatchObject({
    password: "[secret]",
    request: { headers: { authorization: "[secret]", accept: "*/*" }, token: "[secret]" },
  });
  expect(request.headers.authorization).toBe("Token abc");
});

test("accepts only events of the catalogue, at their levels", () => {
  // @ts-expect-error no such event
  expect(logged((logger) => logger.info("request.unheard_of"))).toMatchObject({ level: "info" });
  // @ts-expect-error a warning
  expect(logged((logger) => logger.info("readiness.failed"))).toMatchObject({ level: "info" });
});

test("removes secrets from errors and from the bindings of a child logger", () => {
  const error = Object.assign(new Error("refused"), { config: { headers: { cookie: "abc" } }, apiKey: "abc" });
  const line = logged((logger) => logger.child({ secret: "abc" }).error({ err: error }, "request.failed"));
  expect(line).toMatchObject({
    secret: "[secret]",
    err: { message: "refused", apiKey: "[secret]", config: { headers: { cookie: "[secret]" } } },
  });
});

test.each([
  ["ends", ""],
  ["exits", "process.exit(0);"],
  ["throws an uncaught error", "throw new Error('end');"],
])("writes all logged lines when the process %s", (_, end) => {
  const logger = fileURLToPath(new URL("./logger.ts", import.meta.url));
  const script = `import { createLogger } from ${JSON.stringify(logger)};
    const logger = createLogger({ service: "test" });
    for (let line = 0; line < 100; line++) logger.info({ line }, "logged");
    ${end}`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    encoding: "utf8",
  });
  // The last lines may be written before a pending write completes.
  const lines = stdout.trim().split("\n");
  const numbers = lines.map((line) => (JSON.parse(line) as { line: number }).line).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, line) => line));
});
