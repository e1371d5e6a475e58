import { describe, expect, test } from "@jest/globals";
import { postgresFailure } from "./postgres-program.ts";

describe("explains in one sentence why PostgreSQL did not start", () => {
  test.each([
    [
      "a missing library",
      "/x/bin/initdb: error while loading shared libraries: libicuuc.so.60: cannot open shared object file",
      /lacks the library libicuuc\.so\.60/,
    ],
    [
      "an old C library",
      "postgres: /lib/libc.so.6: version `GLIBC_2.38' not found (required by postgres)",
      /GLIBC_2\.38/,
    ],
    ["a program for another C library", "spawn /x/bin/postgres ENOENT", /GNU C library/],
    [
      "data of another version",
      "2026-11-21 FATAL:  database files are incompatible with server\nDETAIL: …",
      /cannot start: database files are incompatible with server\.$/,
    ],
    ["no output", "", /initdb ended without output/],
  ])("%s", (_case, output, expected) => {
    const sentence = postgresFailure("initdb", output);
    expect(sentence).toMatch(expected);
    expect(sentence).not.toContain("\n");
  });
});
