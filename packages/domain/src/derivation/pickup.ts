import type { TerminalHold } from "../containers/container.ts";
import type { Instant } from "../instant.ts";
import type { LastFreeDaySetter, PickupReport } from "../observations/observation.ts";
import type { Derived } from "./derived-shipment.ts";
import { derivedFrom, newestOf } from "./derived-value.ts";
import { documentHolds } from "./document-holds.ts";
import type { Journey } from "./journey.ts";
import type { Milestone } from "./milestone.ts";
import type { SourceEvent } from "./source-event.ts";

type Aspect = PickupReport["aspect"];
type AspectReport<A extends Aspect> = Extract<PickupReport, { aspect: A }>;

interface Report<A extends Aspect> {
  readonly sourceEvent: SourceEvent;
  readonly pickup: AspectReport<A>;
}

/** The terminals' reports of availability, in the order of the source events. */
export function availabilities(journey: Journey): readonly Report<"availability">[] {
  return aspectReports(journey.terminal, "availability");
}

/** Attributes reported by terminals; null: unknown. Holds come from carrier documents if no terminal reports them. */
export function pickupAttributes(
  journey: Journey,
  milestones: readonly Milestone[],
  documents: readonly SourceEvent[],
) {
  const place = pickupPlace(journey);
  const here = journey.terminal.filter((sourceEvent) => sourceEvent.place === place);
  const appointment = newestReport(here, "appointment");
  const yard = newestReport(here, "yard_location");
  const fees = newestReport(here, "fees");
  const out = milestones.find(({ key }) => key === "full_out:pod")?.sourceEvent ?? null;
  const chassis = out?.observation.chassisNumber ?? null;
  return {
    ...availability(here, milestones, place),
    ...lastFreeDays(journey),
    pickupAppointmentAt: appointment && reported(appointment, "terminal_appointment", appointment.pickup.appointmentAt),
    locationAtPodTerminal: yard && reported(yard, "terminal_yard_location", yard.pickup.yardLocation),
    holdsAtPodTerminal: holds(here, documents),
    feesAtPodTerminal: fees && reported(fees, "terminal_fees", fees.pickup.fees),
    podFullOutChassisNumber: out === null || chassis === null ? null : derivedFrom(out, "E21 full_out", chassis),
  };
}

/** Returns the place of pickup: inland once the container has arrived there, else the port of discharge. */
function pickupPlace({ sea, inland }: Journey): string | null {
  const hasComeInland = inland.gateIn !== null || inland.arrivals.some(({ actual }) => actual !== null);
  return (hasComeInland ? inland.destination : null) ?? sea.portOfDischarge?.place ?? null;
}

/** A container that was gated out is no longer available, whatever the terminal reported last. */
function availability(here: readonly SourceEvent[], milestones: readonly Milestone[], place: string | null) {
  const last = newestReport(here, "availability");
  if (last === null) return { availabilityKnown: null, availableForPickup: null };
  const out = milestones.find(
    ({ event, sourceEvent }) => event === "full_out" && sourceEvent.place === place,
  )?.sourceEvent;
  return {
    availabilityKnown: derivedFrom(last.sourceEvent, "E26 terminal_availability", true),
    availableForPickup:
      out === undefined
        ? derivedFrom(last.sourceEvent, "E26 terminal_availability", last.pickup.isAvailable)
        : derivedFrom(out, "E21 taken_out", false),
  };
}

/** The last free days of carrier, terminal and railway. The first known one, in this order, is effective. */
function lastFreeDays({ terminal }: Journey) {
  const own = aspectReports(terminal, "last_free_day");
  const lastFreeDay = (setBy: LastFreeDaySetter): Derived<Instant> | null => {
    const last = selectNewest(own.filter(({ pickup }) => pickup.setBy === setBy));
    return last && reported(last, `E39 last_free_day_${setBy}`, last.pickup.lastFreeDayAt);
  };
  const [line, byTerminal, rail] = [lastFreeDay("line"), lastFreeDay("terminal"), lastFreeDay("rail")];
  return {
    pickupLfdLine: line,
    pickupLfdTerminal: byTerminal,
    pickupLfdRail: rail,
    pickupLfd: line ?? byTerminal ?? rail,
  };
}

/** A terminal's report of holds is complete; the carrier's documents count only where there is none. */
function holds(
  here: readonly SourceEvent[],
  documents: readonly SourceEvent[],
): Derived<readonly TerminalHold[]> | null {
  const last = newestReport(here, "holds");
  return last === null ? documentHolds(documents) : reported(last, "E27 terminal_holds", last.pickup.holds);
}

function reported<T>(
  { sourceEvent }: { readonly sourceEvent: SourceEvent },
  rule: string,
  value: T | null,
): Derived<T> | null {
  return value === null ? null : derivedFrom(sourceEvent, rule, value);
}

function newestReport<A extends Aspect>(sourceEvents: readonly SourceEvent[], aspect: A): Report<A> | null {
  return selectNewest(aspectReports(sourceEvents, aspect));
}

function selectNewest<A extends Aspect>(reports: readonly Report<A>[]): Report<A> | null {
  const last = newestOf(reports.map(({ sourceEvent }) => sourceEvent));
  return reports.find(({ sourceEvent }) => sourceEvent === last) ?? null;
}

/** Actual reports of one aspect. Forecasts of a terminal do not count. */
function aspectReports<A extends Aspect>(sourceEvents: readonly SourceEvent[], aspect: A): readonly Report<A>[] {
  return sourceEvents.flatMap((sourceEvent) => {
    const { pickup } = sourceEvent.observation;
    const hasAspect = pickup?.aspect === aspect && sourceEvent.classifier === "ACT";
    return hasAspect ? [{ sourceEvent, pickup: pickup as AspectReport<A> }] : [];
  });
}

/** The terminal's report that the inbound vessel berthed. */
export function findBerthing({ terminal, sea }: Journey): SourceEvent | null {
  const place = sea.portOfDischarge?.place;
  return newestOf(
    terminal.filter(
      ({ observation, classifier, place: at }) => observation.code === "BERTH" && classifier === "ACT" && at === place,
    ),
  );
}
