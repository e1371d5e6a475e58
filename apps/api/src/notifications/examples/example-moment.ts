import { addMs, hourMs, type Instant } from "@svc/domain";
import type { TransportEventName } from "@svc/domain/transport-events";
import { exampleMilestones } from "./example-milestones.ts";
import { exampleId } from "./example-places.ts";

/** One moment of the example's voyage. */
export interface ExampleMoment {
  readonly now: Instant;
  /** The time so many hours after the departure. */
  at(hour: number): Instant;
  /** Null: not yet. */
  happenedAt(event: TransportEventName): Instant | null;
  /** Of the records, which are made when the request is. */
  readonly row: { readonly rowVersion: number; readonly createdAt: Instant; readonly updatedAt: Instant };
}

/** When the request is made, in hours from the departure. */
export const requestedHour = -110;
export const exampleNumber = "SBXL000123456";
export const exampleRefNumbers = ["PO-4711"];
export const exampleTags = ["example"];
export const exampleIds = { request: exampleId(1), shipment: exampleId(2), container: exampleId(3) };

/** The moment at which the voyage has come to `hour` hours after its departure, and it is `now`. */
export function exampleMoment(now: Instant, hour: number): ExampleMoment {
  const at = (other: number): Instant => addMs(now, (other - hour) * hourMs);
  return {
    now,
    at,
    happenedAt: (event) => (exampleMilestones[event].hour <= hour ? at(exampleMilestones[event].hour) : null),
    row: { rowVersion: 1, createdAt: at(requestedHour), updatedAt: now },
  };
}
