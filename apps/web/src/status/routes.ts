import { type Instant, instant, minuteMs } from "@svc/domain";
import { readDeliveryState, readPollingState, type WorkState } from "@svc/persistence/operations";
import { resolvesWithin } from "@svc/service-kit";
import type { Request, Response } from "express";
import { get, type Route } from "../http/define-route.ts";
import { wantsJson } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { type CheckOutcome, isWell, type Status, statusPage, type Work, workOf } from "./status-page.ts";

const timeoutMs = 2_000;
/** Checks are cached for this time, so that requests do not multiply them. */
const cacheMs = 2_000;
/** Carriers are polled every few hours. */
const pollingDelayMs = 30 * minuteMs;
const deliveryDelayMs = 5 * minuteMs;

async function runCheck(check: (signal: AbortSignal) => Promise<unknown>): Promise<CheckOutcome> {
  try {
    return (await resolvesWithin(check(AbortSignal.timeout(timeoutMs)), timeoutMs)) ? "ok" : "failing";
  } catch {
    return "failing";
  }
}

async function readWork(read: Promise<WorkState>, now: Instant, delayMs: number): Promise<Work> {
  try {
    let state: WorkState | undefined;
    await resolvesWithin(
      read.then((found) => {
        state = found;
      }),
      timeoutMs,
    );
    return state ? workOf(state, now, delayMs) : { state: "unknown" };
  } catch {
    return { state: "unknown" };
  }
}

/** `GET /status`: 200 while all checks pass, else 503. Returns a page, or JSON when the client accepts it. */
export function statusRoutes(services: Pick<Services, "database" | "internalApiBaseUrl" | "clock">): readonly Route[] {
  const { database, internalApiBaseUrl, clock } = services;
  const apiHealth = new URL("/readyz", internalApiBaseUrl);
  let known: { readonly at: number; readonly status: Promise<Status> } | undefined;

  const checkApi = async (signal: AbortSignal): Promise<void> => {
    const response = await fetch(apiHealth, { signal });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The API responded with status ${response.status}.`);
  };

  const runChecks = async (): Promise<Status> => {
    const [trackingNow, realNow] = [clock.now(), instant(Date.now())];
    const [pages, api, polling, delivery] = await Promise.all([
      runCheck(() => database.ping()),
      runCheck(checkApi),
      readWork(readPollingState(database.sql, trackingNow), trackingNow, pollingDelayMs),
      readWork(readDeliveryState(database.sql), realNow, deliveryDelayMs),
    ]);
    return { checks: { "Tracking pages": pages, API: api }, polling, delivery };
  };

  const show = async (request: Request, response: Response): Promise<void> => {
    const now = performance.now();
    if (!known || now - known.at > cacheMs) known = { at: now, status: runChecks() };
    const status = await known.status;
    const { checks, polling, delivery } = status;
    const code = isWell(status) ? 200 : 503;
    if (wantsJson(request)) {
      const work = { "Carrier updates": polling.state, "Webhook delivery": delivery.state };
      response.status(code).json({ status: code === 200 ? "ok" : "failing", checks, work });
    } else sendPage(response, code, statusPage(status));
  };

  return [get("/status", "anyone", show)];
}
