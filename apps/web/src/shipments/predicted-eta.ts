import { instant } from "@svc/domain";
import type { TrackingSummaryResource } from "@svc/jsonapi/shipments";
import { formatNumber, type Html, html, localTime, localTimeText } from "@svc/views";
import type { ShipmentRecord } from "./api-records.ts";

export type EtaPrediction = TrackingSummaryResource["attributes"]["predicted_eta"];

/** The arrival predicted from vessel positions, beside the carrier's ETA; null where it has not beaten that. */
export function predictedEta(prediction: EtaPrediction, { portOfDischarge }: ShipmentRecord): Html | null {
  if (prediction === null) return null;
  const zone = portOfDischarge?.timeZone ?? null;
  const text = (at: string): string => localTimeText(instant(at), zone);
  const { mean_absolute_error_hours: own, carrier_mean_absolute_error_hours: carrier } = prediction;
  return html`
    <section class="card" aria-labelledby="predicted-eta">
      <h2 id="predicted-eta">Predicted arrival</h2>
      <p><strong>${localTime(instant(prediction.eta_at), zone)}</strong></p>
      <p>Between ${text(prediction.earliest_at)} and ${text(prediction.latest_at)}
        (${Math.round(prediction.interval_share * 100)} % interval)</p>
      <p class="muted">From the vessel's position by AIS of ${text(prediction.position_at)}:
        ${formatNumber(prediction.distance_left_nm)} nautical miles left
        at ${prediction.speed_knots.toFixed(1)} knots.
        ${
          own !== null &&
          carrier !== null &&
          html`Mean error of earlier predictions on this lane ${own.toFixed(1)} h,
            of the carrier's ETA ${carrier.toFixed(1)} h.`
        }
        The carrier's ETA is unchanged.</p>
    </section>`;
}
