import { dayMs, type Instant, msBetween, type Place, type Shipment } from "@svc/domain";
import { type Html, html } from "../http/html.ts";
import { localTime } from "./local-time.ts";

/** Whole days between the first plan and what holds now, in words; null when there is nothing to compare or no change. */
function driftWords(original: Instant | null, current: Instant | null): string | null {
  if (original === null || current === null) return null;
  const days = Math.round(msBetween(original, current) / dayMs);
  if (days === 0) return null;
  const count = Math.abs(days) === 1 ? "1 day" : `${Math.abs(days)} days`;
  return `${count} ${days > 0 ? "later" : "earlier"} than first planned`;
}

interface Arrival {
  readonly place: Place | null;
  readonly etaAt: Instant | null;
  readonly ataAt: Instant | null;
  readonly originalEtaAt: Instant | null;
}

function line({ place, etaAt, ataAt, originalEtaAt }: Arrival, size: "big" | "small"): Html {
  const at = ataAt ?? etaAt;
  const where = place?.name ?? "the port of discharge";
  if (at === null) return html`<p class="${size}">No arrival time for ${where} yet</p>`;
  const drift = driftWords(originalEtaAt, at);
  return html`
    <p class="muted">${ataAt ? "Arrived at" : "Arrives at"} ${where}</p>
    <p class="${size}">${localTime(at, place?.timeZone ?? null)}</p>
    ${drift && html`<p class="${at > (originalEtaAt ?? at) ? "late" : "early"}">${drift}</p>`}`;
}

/** What most people open the page for: when it arrives. */
export function answer(shipment: Shipment): Html {
  const { portOfDischarge, destination } = shipment;
  const inland = destination !== null && destination.id !== portOfDischarge?.id;
  return html`
    <div class="answer">
      ${line(
        {
          place: portOfDischarge,
          etaAt: shipment.podEtaAt,
          ataAt: shipment.podAtaAt,
          originalEtaAt: shipment.podOriginalEtaAt,
        },
        "big",
      )}
      ${
        inland &&
        line(
          {
            place: destination,
            etaAt: shipment.destinationEtaAt,
            ataAt: shipment.destinationAtaAt,
            originalEtaAt: shipment.destinationOriginalEtaAt,
          },
          "small",
        )
      }
    </div>`;
}
