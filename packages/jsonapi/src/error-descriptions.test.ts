import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { errorDescriptions } from "./error-descriptions.ts";
import { type ErrorCode, statusByCode } from "./tracking-error.ts";

test("docs/api.md has every error code with its status and meaning", () => {
  const guide = readFileSync(new URL("../../../docs/api.md", import.meta.url), "utf8");
  const rows = guide.match(/^\| `\w+` \| \d{3} \|.*$/gm);
  const codes = Object.entries(errorDescriptions) as [ErrorCode, string][];
  expect(rows?.toSorted()).toEqual(
    codes.map(([code, meaning]) => `| \`${code}\` | ${statusByCode[code]} | ${meaning} |`).toSorted(),
  );
});
