import { resolvesWithin } from "@svc/service-kit";
import type { Request, Response } from "express";
import { get, type Route } from "../http/define-route.ts";
import { wantsJson } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { type CheckOutcome, isWell, type StatusChecks, statusPage } from "./status-page.ts";

const timeoutMs = 2_000;
/** Checks are cached for this time, so that requests do not multiply them. */
const cacheMs = 2_000;

async function runCheck(check: (signal: AbortSignal) => Promise<unknown>): Promise<CheckOutcome> {
  try {
    return (await resolvesWithin(check(AbortSignal.timeout(timeoutMs)), timeoutMs)) ? "ok" : "failing";
  } catch {
    return "failing";
  }
}

/** `GET /status`: 200 while all checks pass, else 503. Returns a page, or JSON when the client accepts it. */
export function statusRoutes(services: Pick<Services, "database" | "internalApiBaseUrl">): readonly Route[] {
  const { database, internalApiBaseUrl } = services;
  const apiHealth = new URL("/readyz", internalApiBaseUrl);
  let known: { readonly at: number; readonly checks: Promise<StatusChecks> } | undefined;

  const checkApi = async (signal: AbortSignal): Promise<void> => {
    const response = await fetch(apiHealth, { signal });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The API responded with status ${response.status}.`);
  };

  const runChecks = async (): Promise<StatusChecks> => {
    const [pages, api] = await Promise.all([runCheck(() => database.ping()), runCheck(checkApi)]);
    return { "Tracking pages": pages, API: api };
  };

  const show = async (request: Request, response: Response): Promise<void> => {
    const now = performance.now();
    if (!known || now - known.at > cacheMs) known = { at: now, checks: runChecks() };
    const checks = await known.checks;
    const status = isWell(checks) ? 200 : 503;
    if (wantsJson(request)) response.status(status).json({ status: status === 200 ? "ok" : "failing", checks });
    else sendPage(response, status, statusPage(checks));
  };

  return [get("/status", "anyone", show)];
}
