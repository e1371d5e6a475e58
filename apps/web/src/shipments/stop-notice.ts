import type { Shipment } from "@svc/domain/shipments";
import { type Html, html } from "../http/html.ts";
import { localTime } from "./local-time.ts";
import { stopNote } from "./words.ts";

/** Why and since when tracking is stopped. `by`: email address of the user who stopped it; null if not a user. */
export function stopNotice(shipment: Shipment, by: string | null): Html | null {
  const note = stopNote(shipment);
  if (note === null) return null;
  const at = shipment.lineTrackingStoppedAt && localTime(shipment.lineTrackingStoppedAt, "UTC");
  const words =
    by === null ? html`${note}${at && html` Since ${at}.`}` : html`Tracking stopped by ${by}${at && html`, ${at}`}.`;
  return html`<p class="notice" role="status">${words}</p>`;
}
