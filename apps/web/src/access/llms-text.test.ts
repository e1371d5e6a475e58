import { expect, test } from "@jest/globals";
import { webhookEventNames } from "@svc/domain/webhooks";
import { llmsText } from "./llms-text.ts";

const text = llmsText({
  appUrl: "https://app.example",
  apiBaseUrl: "https://api.example/v2",
  mcpUrl: "https://mcp.example/mcp",
});

test("is short, starts with the heading and summary of llmstxt.org, and counts every event", () => {
  expect(text).toMatch(/^# Shipment Tracking\n\n> /);
  expect(text.length).toBeLessThan(3_000);
  const kinds = /Kinds of events: (.*);/.exec(text)?.[1] ?? "";
  const counted = [...kinds.matchAll(/\((\d+)\)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  expect(counted).toBe(webhookEventNames.length);
});

test("contains only addresses of this installation", () => {
  const hosts = [...text.matchAll(/https?:\/\/([^/\s`)]+)/g)].map(([, host]) => host);
  expect(new Set(hosts)).toEqual(new Set(["app.example", "api.example", "mcp.example"]));
});
