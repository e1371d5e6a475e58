import fs from "node:fs";
import { expect, test } from "@jest/globals";
import { clientSetups } from "./client-setups.ts";

const documentation = fs.readFileSync(new URL("../../../../docs/mcp.md", import.meta.url), "utf8");
const overHttp = /### Over HTTP\n([\s\S]*?)\n### /.exec(documentation)?.[1] ?? "";

/** The parsed value of JSON, else the text. */
function parsed(text: string): unknown {
  return text.startsWith("{") ? JSON.parse(text) : text;
}

test("the page and docs/mcp.md show the same setup for each client", () => {
  const documented = [...overHttp.matchAll(/```\w+\n([\s\S]*?)\n```/g)].map(([, text = ""]) => parsed(text));
  expect(clientSetups("http://localhost:4001/mcp").map(({ text }) => parsed(text))).toEqual(documented);
});

test("the file of each client is the documented one", () => {
  for (const { client, file } of clientSetups("https://mcp.example/mcp")) {
    expect(overHttp).toContain(client);
    if (file !== null) expect(overHttp).toContain(file);
  }
});
