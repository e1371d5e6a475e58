import { type Html, html, localTime } from "@svc/views";
import { noticeBanner } from "../pages/notice-banner.ts";
import type { ShipmentRecord } from "./api-records.ts";
import { stopNote } from "./shipment-labels.ts";

/** Why and since when tracking is stopped. `by`: email address of the user who stopped it; null if not a user. */
export function stopNotice(shipment: ShipmentRecord, by: string | null): Html | null {
  const note = stopNote(shipment);
  if (note === null) return null;
  const at = shipment.lineTrackingStoppedAt && localTime(shipment.lineTrackingStoppedAt, "UTC");
  const text =
    by === null ? html`${note}${at && html` Since ${at}.`}` : html`Tracking stopped by ${by}${at && html`, ${at}`}.`;
  return noticeBanner("neutral", text);
}
