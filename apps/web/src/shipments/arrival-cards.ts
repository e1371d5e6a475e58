import type { Instant } from "@svc/domain";
import { arrivesSeparately, withContainerArrival } from "@svc/domain/shipments";
import { type Html, html } from "@svc/views";
import type { ChangeRecord, ContainerRecord, ShipmentRecord } from "./api-records.ts";
import { hasOwnEta } from "./container-estimates.ts";
import { etaHistory } from "./eta-history.ts";
import { type EtaPrediction, predictedEta } from "./predicted-eta.ts";

interface ArrivalCardOptions {
  readonly container: ContainerRecord;
  readonly shipment: ShipmentRecord;
  readonly prediction: EtaPrediction;
  /** ETA history of the container, newest first. */
  readonly estimates: readonly ChangeRecord[];
  readonly now: Instant;
  /** Where the history of the last container is, for the card of a container that arrives before it. */
  readonly lastContainer: Html | null;
}

/** Predicted arrival and ETA history of a container; of one that does not arrive last, its own history. */
export function arrivalCards(options: ArrivalCardOptions): Html {
  const { container, shipment, prediction, estimates, now, lastContainer } = options;
  const { number } = container;
  const isLast = !hasOwnEta(container, shipment);
  return html`${isLast && predictedEta(prediction, shipment)}${etaHistory(
    estimates,
    withContainerArrival(container, shipment),
    {
      now,
      container: arrivesSeparately(container) ? { number, isLast } : null,
      lastContainer: isLast ? null : lastContainer,
    },
  )}`;
}
