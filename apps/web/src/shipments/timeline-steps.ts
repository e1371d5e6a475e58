import { instantOrNull } from "@svc/domain";
import type { JourneyStep } from "@svc/domain/transport-events";
import type { TrackingSummaryResource } from "@svc/sdk";
import { type TimelineStep, voyageText } from "@svc/views/timeline";
import { milestoneName } from "./api-records.ts";

/** A step of a journey as the timeline shows it. */
export function timelineStep(step: JourneyStep): TimelineStep {
  const { placeName, terminalName, vesselName, voyageNumber, timePrecision, ...times } = step;
  return {
    ...times,
    place: placeName,
    terminal: terminalName,
    voyage: voyageText(vesselName, voyageNumber),
    precision: timePrecision,
  };
}

/** A step as the API answers it. */
export const toTimelineStep = (step: TrackingSummaryResource["attributes"]["journey"][number]): TimelineStep =>
  timelineStep({
    event: milestoneName(step.event),
    placeName: step.location_name,
    terminalName: step.terminal_name,
    vesselName: step.vessel_name,
    voyageNumber: step.voyage_number,
    timeZone: step.timezone,
    actualAt: instantOrNull(step.actual_at),
    timePrecision: step.time_precision,
    estimatedAt: instantOrNull(step.estimated_at),
    plannedAt: instantOrNull(step.planned_at),
    planBasis: step.plan_basis,
    dataSource: step.data_source,
  });
