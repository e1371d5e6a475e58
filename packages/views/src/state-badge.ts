import type { ContainerStatus } from "@svc/domain/containers";
import { exceptionThresholds } from "@svc/domain/exceptions";
import type { ShipmentOverviewStatus } from "@svc/domain/shipments";
import { eventLabel } from "./event-labels.ts";
import { type Html, html } from "./html.ts";

/** Grey, blue, green, amber and red. */
type Tone = "calm" | "usual" | "good" | "soon" | "bad";

/** The word of a state, its colour, and how many quarters of the journey lie behind it. */
interface State {
  readonly word: string;
  /** What the colour is about, where the word does not express it. */
  readonly reason?: string;
  readonly tone: Tone;
  readonly quarters: 0 | 1 | 2 | 3 | 4;
}

const state = (word: string, tone: Tone, quarters: State["quarters"]): State => ({ word, tone, quarters });

const loaded = state("Loaded", "usual", 1);
const inTransit = state("In transit", "usual", 2);
const arrived = state("Arrived at port", "usual", 3);
const atTerminal = state("At terminal", "usual", 3);
const onRail = state("On rail", "usual", 3);
const pickedUp = state("Picked up", "good", 3);
const onHold = state("On hold", "bad", 3);

const containerStates: Readonly<Record<ContainerStatus, State>> = {
  // Until it is loaded.
  new: state("At origin", "calm", 0),
  loaded,
  on_ship: inTransit,
  grounded: atTerminal,
  available: state("Available", "good", 3),
  not_available: atTerminal,
  awaiting_inland_transfer: state("Awaiting inland transfer", "usual", 3),
  on_rail: onRail,
  off_dock: atTerminal,
  picked_up: pickedUp,
  dropped: pickedUp,
  delivered: state("Delivered", "good", 4),
  empty_returned: state("Returned", "calm", 4),
};

/** `delivered_to_destination` follows from the arrival there: the containers may not have been picked up yet. */
const shipmentStates: Readonly<Record<ShipmentOverviewStatus, State>> = {
  pending: state("Waiting for carrier data", "calm", 0),
  awaiting_departure: state("Awaiting departure", "calm", 1),
  in_transit: inTransit,
  arrived_at_pod: arrived,
  delivered_to_destination: state("At destination", "usual", 3),
  picked_up: pickedUp,
  returned: containerStates.empty_returned,
  booking_cancelled: state("Booking cancelled", "calm", 4),
};

const wordOf = (states: Readonly<Record<string, State>>, status: string): string =>
  states[status]?.word ?? eventLabel(status);

/** The word of a status of shipments, by which lists filter and count. */
export const shipmentStatusLabel = (status: string): string => wordOf(shipmentStates, status);

/** The word of a status alone, where neither holds nor the last milestone are known. */
export const containerStatusLabel = (status: string): string => wordOf(containerStates, status);

/** The word of a status, and the status itself where others have the same word: "At terminal (grounded)". */
export function exactStatusLabel(status: ContainerStatus): string {
  const { word } = containerStates[status];
  const isShared = Object.values(containerStates).filter((other) => other.word === word).length > 1;
  return isShared && eventLabel(status) !== word ? `${word} (${eventLabel(status).toLowerCase()})` : word;
}

/** "on_ship" is the whole voyage, also aboard before departure and after arrival, and ashore between two vessels. */
const aboardAfter: Readonly<Record<string, State>> = {
  vessel_loaded: loaded,
  transshipment_discharged: state("At transshipment port", "usual", 2),
  vessel_arrived: arrived,
  vessel_berthed: arrived,
};

/** Statuses before the discharge and after the pickup, in which a container does not wait for the end of a hold. */
const withoutHold: ReadonlySet<ContainerStatus> = new Set([
  "new",
  "loaded",
  "on_ship",
  "picked_up",
  "dropped",
  "delivered",
  "empty_returned",
]);

/** An available container is no success any more when its free time ends. `freeDaysLeft`: negative after its end. */
function available(freeDaysLeft: number | null): State {
  const { available: state } = containerStates;
  if (freeDaysLeft === null || freeDaysLeft > exceptionThresholds.lastFreeDaySoonDays) return state;
  if (freeDaysLeft < 0) return { ...state, tone: "bad", reason: "free time over" };
  return { ...state, tone: "soon", reason: freeDaysLeft === 0 ? "last free day today" : "free time ends soon" };
}

/** States that no later report changes back: they hold also when tracking has stopped. */
const lasting: ReadonlySet<State> = new Set([
  pickedUp,
  containerStates.delivered,
  containerStates.empty_returned,
  shipmentStates.booking_cancelled,
]);

/** A state that is not updated any more has no colour: "Available · tracking stopped". */
const outdated = (one: State): State => (lasting.has(one) ? one : { ...one, tone: "calm", reason: "tracking stopped" });

export interface ContainerFacts {
  readonly status: ContainerStatus;
  readonly holds: readonly { readonly status: string }[];
  /** The name of its last milestone; null: none is known. */
  readonly lastEvent: string | null;
  /** Days until its last free day; null: none is known, or it was picked up. */
  readonly freeDaysLeft: number | null;
  /** Tracking has stopped. Missing: it has not. */
  readonly isStopped?: boolean;
}

function containerState({ isStopped = false, ...facts }: ContainerFacts): State {
  return isStopped ? outdated(lastContainerState(facts)) : lastContainerState(facts);
}

function lastContainerState({ status, holds, lastEvent, freeDaysLeft }: ContainerFacts): State {
  if (!withoutHold.has(status) && holds.some((hold) => hold.status === "hold")) return onHold;
  if (status === "available") return available(freeDaysLeft);
  return (status === "on_ship" ? aboardAfter[lastEvent ?? ""] : null) ?? containerStates[status];
}

/** Counts of the containers of a shipment. */
export interface ContainerCounts {
  readonly count: number;
  /** Containers at the port of discharge, also those that have left it. */
  readonly arrived: number;
  readonly available: number;
  /** Containers with an active hold. */
  readonly held: number;
  readonly onRail: number;
  readonly pickedUp: number;
}

export interface ShipmentFacts {
  readonly status: ShipmentOverviewStatus;
  readonly containers: ContainerCounts;
  /** Days until the first last free day of the containers that are not picked up; null: none is known. */
  readonly freeDaysLeft: number | null;
  /** Tracking has stopped. Missing: it has not. */
  readonly isStopped?: boolean;
}

function shipmentState({ isStopped = false, ...facts }: ShipmentFacts): State {
  return isStopped ? outdated(lastShipmentState(facts)) : lastShipmentState(facts);
}

/** After the arrival the most urgent state of the containers: "On hold (1 of 3)" when others have another one. */
function lastShipmentState({ status, containers, freeDaysLeft }: ShipmentFacts): State {
  const own = shipmentStates[status];
  if (own !== shipmentStates.arrived_at_pod && own !== shipmentStates.delivered_to_destination) return own;
  const { count, arrived, held, onRail: railed, pickedUp: out } = containers;
  const byUrgency: readonly (readonly [State, number])[] = [
    [onHold, held],
    [available(freeDaysLeft), containers.available],
    [own === shipmentStates.arrived_at_pod ? atTerminal : own, arrived - railed - out],
    [onRail, railed],
    [inTransit, count - arrived],
    [pickedUp, out],
  ];
  const [first, some] = byUrgency.find(([, number]) => number > 0) ?? [own, count];
  return some === count ? first : { ...first, word: `${first.word} (${some} of ${count})` };
}

/** A disc that fills with the progress of the journey; the word beside it has the same information. */
const badge = ({ word, reason, tone, quarters }: State): Html =>
  html`<span class="status ${tone} quarters-${quarters}">${word}${reason && html` <span>· ${reason}</span>`}</span>`;

export const containerStateText = (facts: ContainerFacts): string => containerState(facts).word;

export const shipmentStateText = (facts: ShipmentFacts): string => shipmentState(facts).word;

/** The state of a container in one word, the same everywhere. */
export const containerBadge = (facts: ContainerFacts): Html => badge(containerState(facts));

/** The state of a shipment in one word, that of its containers after the arrival. */
export const shipmentBadge = (facts: ShipmentFacts): Html => badge(shipmentState(facts));
