import { describe, expect, test } from "@jest/globals";
import { parseOptions } from "./options.ts";

const folders = { current: "/home/me", defaultData: "/repository/.svc" };

describe("options of the launcher", () => {
  test("has a default for everything", () => {
    expect(parseOptions([], folders)).toEqual({
      portBase: 4000,
      dataDir: "/repository/.svc",
      fresh: false,
      lines: false,
      help: false,
    });
  });

  test("a data folder is relative to where the command was typed", () => {
    const args = ["--port-base=5000", "--data-dir", "demo", "--fresh", "--queue=postgres", "--lines"];
    const expected = { portBase: 5000, dataDir: "/home/me/demo", fresh: true, queue: "postgres", lines: true };
    expect(parseOptions(args, folders)).toEqual({ ...expected, help: false });
  });

  test.each([
    [["--port"], /^Unknown option '--port'\. Try/],
    [["here"], /^Unexpected argument 'here'\. Try/],
    [["--port-base", "65530"], /^--port-base must be a whole number from 1 to 65524, not "65530"/],
    [["--port-base", "4e3"], /^--port-base must be/],
    [["--queue", "kafka"], /^--queue must be redis or postgres, not "kafka"/],
  ])("%j is refused in one sentence", (args, sentence) => {
    expect(() => parseOptions(args, folders)).toThrow(sentence);
    expect(() => parseOptions(args, folders)).not.toThrow(/\n/);
  });
});
