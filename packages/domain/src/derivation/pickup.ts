import type { TerminalHold } from "../containers/container.ts";
import type { Instant } from "../instant.ts";
import type { LastFreeDaySetter, PickupStatement } from "../observations/observation.ts";
import type { Derived, DerivedContainerAttributes } from "./derived-shipment.ts";
import { derivedFrom, newestOf, present } from "./derived-value.ts";
import { heldBy } from "./document-holds.ts";
import type { Journey } from "./journey.ts";
import type { Milestone } from "./milestone.ts";
import type { Statement } from "./statement.ts";

type Aspect = PickupStatement["aspect"];
type Of<A extends Aspect> = Extract<PickupStatement, { aspect: A }>;

interface Said<A extends Aspect> {
  readonly statement: Statement;
  readonly pickup: Of<A>;
}

/** What a terminal says that the container can be, or cannot be, picked up, in the order in which it says so. */
export function availabilities(journey: Journey): readonly Said<"availability">[] {
  return said(journey.terminal, "availability");
}

/** Attributes reported by terminals. Holds come from the carrier's documents where no terminal reports them. */
export function pickupAttributes(
  journey: Journey,
  milestones: readonly Milestone[],
  documents: readonly Statement[],
): Omit<DerivedContainerAttributes, "currentStatus"> {
  const place = pickupPlace(journey);
  const here = journey.terminal.filter((statement) => statement.place === place);
  const appointment = newestSaid(here, "appointment");
  const yard = newestSaid(here, "yard_location");
  const fees = newestSaid(here, "fees");
  const out = milestones.find(({ key }) => key === "full_out:pod")?.statement ?? null;
  const chassis = out?.observation.chassisNumber ?? null;
  return present<Omit<DerivedContainerAttributes, "currentStatus">>({
    ...availability(here, milestones, place),
    ...lastFreeDays(journey),
    pickupAppointmentAt: appointment && tell(appointment, "terminal_appointment", appointment.pickup.appointmentAt),
    locationAtPodTerminal: yard && tell(yard, "terminal_yard_location", yard.pickup.yardLocation),
    holdsAtPodTerminal: holds(here, documents),
    feesAtPodTerminal: fees && tell(fees, "terminal_fees", fees.pickup.fees),
    podFullOutChassisNumber: out === null || chassis === null ? null : derivedFrom(out, "E21 full_out", chassis),
  });
}

/** Where the container is handed over: inland once it has arrived there, else at the port of discharge. */
function pickupPlace({ sea, inland }: Journey): string | null {
  const hasComeInland = inland.gateIn !== null || inland.arrivals.some(({ actual }) => actual !== null);
  return (hasComeInland ? inland.destination : null) ?? sea.portOfDischarge?.place ?? null;
}

/** A box that was taken away is not available any more, whatever its terminal has said last. */
function availability(here: readonly Statement[], milestones: readonly Milestone[], place: string | null) {
  const last = newestSaid(here, "availability");
  if (last === null) return {};
  const out = milestones.find(({ event, statement }) => event === "full_out" && statement.place === place)?.statement;
  return {
    availabilityKnown: derivedFrom(last.statement, "E26 terminal_availability", true),
    availableForPickup:
      out === undefined
        ? derivedFrom(last.statement, "E26 terminal_availability", last.pickup.isAvailable)
        : derivedFrom(out, "E21 taken_out", false),
  };
}

/** The last free days of line, terminal and railway. The first known one, in this order, is effective. */
function lastFreeDays({ terminal }: Journey) {
  const own = said(terminal, "last_free_day");
  const of = (setBy: LastFreeDaySetter): Derived<Instant> | null => {
    const last = newestOfSaid(own.filter(({ pickup }) => pickup.setBy === setBy));
    return last && tell(last, `E39 last_free_day_${setBy}`, last.pickup.lastFreeDayAt);
  };
  const [line, byTerminal, rail] = [of("line"), of("terminal"), of("rail")];
  return {
    pickupLfdLine: line,
    pickupLfdTerminal: byTerminal,
    pickupLfdRail: rail,
    pickupLfd: line ?? byTerminal ?? rail,
  };
}

/** A terminal that tells of holds knows them all; the line's documents count only where none does. */
function holds(here: readonly Statement[], documents: readonly Statement[]): Derived<readonly TerminalHold[]> | null {
  const last = newestSaid(here, "holds");
  return last === null ? heldBy(documents) : tell(last, "E27 terminal_holds", last.pickup.holds);
}

function tell<T>({ statement }: { readonly statement: Statement }, rule: string, value: T | null): Derived<T> | null {
  return value === null ? null : derivedFrom(statement, rule, value);
}

function newestSaid<A extends Aspect>(statements: readonly Statement[], aspect: A): Said<A> | null {
  return newestOfSaid(said(statements, aspect));
}

function newestOfSaid<A extends Aspect>(statements: readonly Said<A>[]): Said<A> | null {
  const last = newestOf(statements.map(({ statement }) => statement));
  return statements.find(({ statement }) => statement === last) ?? null;
}

/** Forecasts of a terminal are no statements about pickup. */
function said<A extends Aspect>(statements: readonly Statement[], aspect: A): readonly Said<A>[] {
  return statements.flatMap((statement) => {
    const { pickup } = statement.observation;
    const isOfAspect = pickup?.aspect === aspect && statement.classifier === "ACT";
    return isOfAspect ? [{ statement, pickup: pickup as Of<A> }] : [];
  });
}

/** When the vessel that brought the container made fast, as the terminal tells. */
export function berthed({ terminal, sea }: Journey): Statement | null {
  const place = sea.portOfDischarge?.place;
  return newestOf(
    terminal.filter(
      ({ observation, classifier, place: at }) => observation.code === "BERTH" && classifier === "ACT" && at === place,
    ),
  );
}
