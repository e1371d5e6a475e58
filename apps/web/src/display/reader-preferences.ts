import { AsyncLocalStorage } from "node:async_hooks";
import { type DisplayPreferences, defaultPreferences } from "@svc/domain/members";
import { setReaderFormat } from "@svc/views";
import type { NextFunction, Request, Response } from "express";

/** The member is known only once the route has identified the caller, so the request holds what is set then. */
const requestPreferences = new AsyncLocalStorage<{ preferences: DisplayPreferences }>();

/** How the reader of the current request reads dates, times and weights. */
export const readerPreferences = (): DisplayPreferences =>
  requestPreferences.getStore()?.preferences ?? defaultPreferences;
setReaderFormat(readerPreferences);

/** Sets the preferences for the rest of the request. */
export function setReaderPreferences(preferences: DisplayPreferences): void {
  const store = requestPreferences.getStore();
  if (store) store.preferences = preferences;
}

/** Serves each request with the preferences of its member. */
export function withReaderPreferences(_request: Request, _response: Response, next: NextFunction): void {
  requestPreferences.run({ preferences: defaultPreferences }, next);
}
