import { AsyncLocalStorage } from "node:async_hooks";
import type { NextFunction, Request, Response } from "express";
import { cookieValue } from "../http/read-request.ts";

export const themeCookie = "svc_theme";

/** A theme that the reader chose instead of the system's. */
export type Theme = "light" | "dark";

const requestTheme = new AsyncLocalStorage<Theme | null>();

export const themeNamed = (text: string | null): Theme | null => (text === "light" || text === "dark" ? text : null);

/** The theme of the current request; null: that of the reader's system. */
export const readerTheme = (): Theme | null => requestTheme.getStore() ?? null;

/** Handles the request in the theme that the reader chose with `POST /theme`. */
export function withReaderTheme(request: Request, _response: Response, next: NextFunction): void {
  requestTheme.run(themeNamed(cookieValue(request, themeCookie)), next);
}
