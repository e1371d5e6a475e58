import { stopReasonLabels } from "@svc/domain/shipments";
import { type Html, html, localTime } from "@svc/views";
import { noticeBanner } from "../pages/notice-banner.ts";
import type { ShipmentRecord } from "./api-records.ts";

/** Why and since when tracking is stopped. `by`: email address of the user who stopped it; null if not a user. */
export function stopNotice(shipment: ShipmentRecord, by: string | null): Html | null {
  const { lineTrackingStoppedReason: reason, lineTrackingStoppedAt: at } = shipment;
  if (reason === null) return null;
  const on = at && html` on ${localTime(at, "UTC")}`;
  const text = by === null ? html`${on}: ${stopReasonLabels[reason]}` : html` by ${by}${on}`;
  return noticeBanner("neutral", html`Tracking stopped${text}.`);
}
