import { expect, test } from "@jest/globals";
import { apiQuery, curlCommand, sameFromApi } from "./same-from-api.ts";

const base = "https://api.example/v2";

test("a command is one that a shell takes, whatever was typed", () => {
  const query = apiQuery({ "filter[tag]": `$(rm) "x" 'y' \`z\` !1 *~`, "filter[port]": "", sort: null });
  expect(query).toMatch(/^\?filter\[tag\]=[\w%.-]+$/);
  expect(curlCommand(base, { path: `/shipments${query}` })).toBe(
    `curl -g "${base}/shipments${query}" -H "Authorization: Token $SVC_API_TOKEN"`,
  );
  expect(decodeURIComponent(query.split("=")[1] ?? "")).toBe(`$(rm) "x" 'y' \`z\` !1 *~`);
});

test("a body is JSON in single quotes, whatever it holds", () => {
  const command = curlCommand(base, {
    method: "POST",
    path: "/x",
    body: { name: "it's" },
    mediaType: "application/json",
  });
  expect(command).toContain(`-X POST "${base}/x"`);
  expect(command).toContain(`-H "Content-Type: application/json" -d '{"name":"it'\\''s"}'`);
});

test("all commands of a page are copied together", () => {
  const markup = String(sameFromApi(base, [{ path: "/a" }, { path: "/b" }]));
  expect(markup).toContain(`data-copies="api-commands"`);
  expect(markup.match(/curl -g/g)).toHaveLength(2);
});
