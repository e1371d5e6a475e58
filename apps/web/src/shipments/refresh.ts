import { countText } from "@svc/domain";
import { type Client, ConflictError, RateLimitError } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { Request } from "express";
import { type Caller, may } from "../access/callers.ts";
import { findRecord, nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler } from "../http/handler.ts";
import { pathId, queryText } from "../http/read-request.ts";
import { referrerPath } from "../http/referrer-path.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import type { ShipmentRecord } from "./api-records.ts";

const noContainer = "The carrier has not reported a container yet.";

/**
 * Polls the carrier of a shipment. One poll covers all of its containers, so it is requested by any of them. Returns
 * why it cannot be polled; null: it is polled now.
 */
export async function refreshShipment(api: Client, id: string): Promise<string | null> {
  const { data } = await api.shipments.get(id, { include: [] });
  const [container] = data.relationships.containers.data;
  if (container === undefined) return noContainer;
  await api.containers.refresh(container.id);
  return null;
}

/** The button of the page of a shipment or container; null where its carrier is not polled, or the caller may not. */
export function refreshButton(caller: Caller, shipment: ShipmentRecord): Html | null {
  const isPolled = shipment.lineTrackingStoppedReason === null && shipment.containerIds.length > 0;
  if (!isPolled || !may(caller, "track")) return null;
  return html`
    <form class="row-actions" method="post" action="/shipments/${shipment.id}/refresh" data-keep-place>
      <button class="quiet">Refresh now</button>
    </form>`;
}

const warning = (text: string): Html => noticeBanner("warning", text);

/** Epoch seconds, from which the rate limit allows the next request. */
function waitText(until: number): string {
  const seconds = Math.ceil(until - Date.now() / 1_000);
  const when = seconds > 0 ? `in ${countText(seconds, "second")}` : "now";
  return `The carrier was not polled: this account has refreshed too often within a minute. It is possible again ${when}.`;
}

/** Renders the outcome of the refresh that `?refresh=` names; null for a URL without it. */
export function refreshNotice(request: Request, { shippingLineName, shippingLineScac }: ShipmentRecord): Html | null {
  const outcome = queryText(request, "refresh");
  const carrier = shippingLineName ?? shippingLineScac;
  if (outcome === "polled") return noticeBanner("success", `${carrier} is polled now. Its reply appears on this page.`);
  if (outcome === "no_container") return warning(noContainer);
  if (outcome === "stopped") return warning("The carrier was not polled: tracking of this shipment was stopped.");
  return /^\d{10}$/.test(outcome) ? warning(waitText(Number(outcome))) : null;
}

async function refreshOutcome(api: Client, id: string): Promise<string> {
  try {
    return (await refreshShipment(api, id)) === null ? "polled" : "no_container";
  } catch (error) {
    if (error instanceof ConflictError) return "stopped";
    if (!(error instanceof RateLimitError)) throw error;
    return String(Math.ceil(Date.now() / 1_000) + (error.retryAfterSeconds ?? 60));
  }
}

/** Parameters that the reader chose on the page of the shipment, which the next URL keeps. */
const preservedParameters = ["container", "order", "filter"] as const;

/** `POST /shipments/{id}/refresh`. Throws `TrackingError` `not_found`. */
export function refreshHandler(appUrl: string): FormHandler {
  return async (request, response, { api }) => {
    const refresh = (id: string) => nullIfNotFound(refreshOutcome(api, id));
    const outcome = await findRecord("shipment", request.params.id, refresh);
    const shipmentPath = `/shipments/${pathId(request)}`;
    const { pathname, searchParams } = new URL(referrerPath(request, appUrl), appUrl);
    const path = pathname.startsWith("/containers/") ? pathname : shipmentPath;
    const before = pathname === path ? searchParams : new URLSearchParams();
    const parameters = new URLSearchParams();
    for (const name of preservedParameters) for (const value of before.getAll(name)) parameters.append(name, value);
    parameters.set("refresh", outcome);
    response.redirect(303, `${path}?${parameters}`);
  };
}
