import { type Html, html, localTime } from "@svc/views";
import { noticeBox } from "../pages/notice-box.ts";
import type { ShownShipment } from "./api-records.ts";
import { stopNote } from "./shipment-labels.ts";

/** Why and since when tracking is stopped. `by`: email address of the user who stopped it; null if not a user. */
export function stopNotice(shipment: ShownShipment, by: string | null): Html | null {
  const note = stopNote(shipment);
  if (note === null) return null;
  const at = shipment.lineTrackingStoppedAt && localTime(shipment.lineTrackingStoppedAt, "UTC");
  const text =
    by === null ? html`${note}${at && html` Since ${at}.`}` : html`Tracking stopped by ${by}${at && html`, ${at}`}.`;
  return noticeBox("neutral", text);
}
