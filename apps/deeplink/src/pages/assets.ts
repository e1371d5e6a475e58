import { createHash } from "node:crypto";
import { type Response, Router } from "express";
import { stylesheet } from "./stylesheet.ts";

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5fa5"/>
<path d="M6 19h20l-3 6H9zM9 12h6v5H9zm8 0h6v5h-6zm-4-6h6v4h-6z" fill="#fff"/></svg>`;

/** A name that changes with the content, so that browsers may keep it for ever. */
const nameOf = (content: string, extension: string): string =>
  `/assets/${createHash("sha256").update(content).digest("hex").slice(0, 16)}.${extension}`;

export const stylesheetPath = nameOf(stylesheet, "css");
export const iconPath = nameOf(icon, "svg");

export function assetRoutes(): Router {
  const send = (type: string, content: string) => (_request: unknown, response: Response) => {
    response.set("Cache-Control", "public, max-age=31536000, immutable").type(type).send(content);
  };
  return Router().get(stylesheetPath, send("css", stylesheet)).get(iconPath, send("svg", icon));
}
