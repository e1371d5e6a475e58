import { readInstant } from "@svc/domain";
import type { Client } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { Request } from "express";
import { type Caller, may } from "../access/callers.ts";
import type { FormValues } from "../forms/form-values.ts";
import { queryText } from "../http/read-request.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import type { ShipmentRecord } from "./api-records.ts";

/** When an action stopped its first and its last shipment: other stops of them have other times. */
export interface StopTimes {
  readonly from: string;
  readonly to: string;
}

/** Stops tracking. Returns when; null: it was stopped before, so that undoing the action leaves it stopped. */
export async function stopTracking(api: Client, id: string): Promise<string | null> {
  const { data: before } = await api.shipments.get(id, { include: [] });
  const { data } = await api.shipments.stopTracking(id);
  return before.attributes.line_tracking_stopped_at === null ? data.attributes.line_tracking_stopped_at : null;
}

/** Resumes tracking that the action stopped. Returns why it cannot, or null. */
export async function undoStop(api: Client, id: string, { from, to }: StopTimes): Promise<string | null> {
  const { data } = await api.shipments.get(id, { include: [] });
  const stoppedAt = data.attributes.line_tracking_stopped_at;
  if (stoppedAt === null) return "It is tracked: its tracking was resumed in the meantime.";
  if (stoppedAt < from || stoppedAt > to) return "It was stopped another time, which is not undone here.";
  await api.shipments.resumeTracking(id);
  return null;
}

/** The times that the form of `undoForm` submits; null: it was not sent by one. */
export function readStopTimes(form: Pick<FormValues, "text">): StopTimes | null {
  const [from, to] = [readInstant(form.text("from")), readInstant(form.text("to"))];
  return from && to && { from, to };
}

/** The button that takes a stop back. `fields`: those of the form that it is submitted to. */
export const undoForm = (
  path: string,
  action: string,
  { from, to }: StopTimes,
  fields: Html | null = null,
): Html => html`
  <form method="post" action="${path}" data-keep-place>
    <input type="hidden" name="from" value="${from}"><input type="hidden" name="to" value="${to}">${fields}
    <button class="quiet" name="action" value="${action}">Undo</button>
  </form>`;

/** Notice that tracking of the shipment was just stopped (`?stopped=`), with a button that undoes it. */
export function stoppedNote(request: Request, caller: Caller, shipment: ShipmentRecord): Html | null {
  const at = shipment.lineTrackingStoppedAt;
  if (at === null || queryText(request, "stopped") !== at || !may(caller, "track")) return null;
  const form = undoForm(`/shipments/${shipment.id}/tracking`, "undo", { from: at, to: at });
  return noticeBanner("success", html`<p>Tracking stopped.</p>${form}`, "toast");
}
