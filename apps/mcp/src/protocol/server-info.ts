import type { Implementation } from "@modelcontextprotocol/server";
import manifest from "../../package.json" with { type: "json" };

/**
 * The icon of the web application (apps/web/src/browser/public/icon.svg) as a PNG, which every client must support,
 * with a palette, because results of 2026-07-28 repeat it. Inline: a local process has no address to serve it from.
 */
const iconPng = [
  "data:image/png;base64,",
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwBAMAAAClLOS0AAAAMFBMVEUAAAAAYJ8LYKYKYKYKXqQKXqQKXqQKXqQKX6UKX6QLX6X///+Fr9IZ",
  "aKrz9/tIh7tW6stZAAAACnRSTlMAEEhQmKDI0OX9WaobnwAAAORJREFUeNpjYGBgUA5fhQJKjRjAQHQVOljpCBJn6sKQWLVCgYGBQWsVFrCI",
  "gYGxC5vECgEG1lVYgQODJHaJiQxW2CUWM3hhl1jCkAVjrtm9e/fuUzDeMoYu7BIrGFZhl1hFEwk0QLYExAJkawa1xPozZ86c+QUhKfL5mjMo",
  "4BRCYjcKQEisfY0svu8Wwo7TyBJ7kCy/hyzxFkliDYYVUAlkSyBWwPxxGt0KmMQ9dCtQwgoCYGGVhT1EluHOBjgzjhZ2iUUMYtglEnFnZ+yW",
  "LMZXZGApZFYFQoofYbdZKGVPiiFQFADTme9y5r4fOwAAAABJRU5ErkJggg==",
].join("");

/** How the server introduces itself. */
export const serverInfo = {
  name: "svc-mcp",
  title: "Shipment Tracking Service",
  version: manifest.version,
  icons: [{ src: iconPng, mimeType: "image/png", sizes: ["48x48"] }],
} satisfies Implementation;
