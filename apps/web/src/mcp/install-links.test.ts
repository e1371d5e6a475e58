import fs from "node:fs";
import { expect, test } from "@jest/globals";
import { installLinks } from "./install-links.ts";

const documentation = fs.readFileSync(new URL("../../../../docs/mcp.md", import.meta.url), "utf8");

test("each application reads the address from its link, and nothing secret", () => {
  const mcpUrl = "https://mcp.tracking.example.com/mcp";
  const [cursor, vsCode] = installLinks(mcpUrl).map(({ href }) => new URL(href));
  expect(`${cursor?.protocol}//${cursor?.host}${cursor?.pathname}`).toBe(
    "cursor://anysphere.cursor-deeplink/mcp/install",
  );
  expect(cursor?.searchParams.get("name")).toBe("shipments");
  const config = Buffer.from(cursor?.searchParams.get("config") ?? "", "base64").toString();
  expect(JSON.parse(config)).toEqual({ url: mcpUrl });
  expect(`${vsCode?.protocol}${vsCode?.pathname}`).toBe("vscode:mcp/install");
  expect(JSON.parse(decodeURIComponent(vsCode?.search.slice(1) ?? ""))).toEqual({
    name: "shipments",
    type: "http",
    url: mcpUrl,
  });
});

test("the documentation has the same links", () => {
  for (const { href } of installLinks("http://localhost:4001/mcp")) expect(documentation).toContain(`\n${href}\n`);
});
