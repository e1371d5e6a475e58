import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { noticeBanner } from "./notice-banner.ts";

const sources = path.join(import.meta.dirname, "..");

test.each([
  ["neutral", ""],
  ["success", ' role="status"'],
  ["warning", ' role="status"'],
  ["error", ' role="alert"'],
] as const)("a notice of tone %s has its class and role, and escapes its text", (tone, role) => {
  expect(String(noticeBanner(tone, "<b>"))).toBe(`<div class="notice is-${tone}"${role}>&lt;b&gt;</div>`);
});

test("draws a toast as a notice", () => {
  expect(String(noticeBanner("success", "Saved.", "toast"))).toContain('class="notice is-success toast"');
});

test("no page draws a notice of its own, except those with fields and a name", () => {
  const withFields = ["pages/as-of.ts", "pages/notice-banner.ts", "pages/secret-once.ts"];
  const files = fs.readdirSync(sources, { recursive: true, encoding: "utf8" });
  const drawn = files
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("testing"))
    .filter((file) => fs.readFileSync(path.join(sources, file), "utf8").match(/class="notice[ "]/))
    .map((file) => file.split(path.sep).join("/"));
  expect(drawn.toSorted()).toEqual(withFields);
});
