import { isJsonObject, type JsonObject } from "@svc/domain";
import { normalizeContainerNumber } from "@svc/domain/identifiers";
import { type EventTime, observedText, readEventTime } from "@svc/domain/observations";
import type { ReportedVisit } from "../terminal/terminal-observation.ts";
import type { FacilityQuery, TerminalApi, TerminalReading } from "./terminal-api.ts";

/** Null: no text, or an empty one. */
const textOf = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? observedText(String(value)) : null;
const lowerCaseText = (value: unknown): string | null =>
  typeof value === "boolean" ? String(value) : (textOf(value)?.toLowerCase() ?? null);

/** The documents list containers, or are about one. Null: no document of this API. */
function containersIn(document: unknown): readonly JsonObject[] | null {
  const list = Array.isArray(document) ? document : [document];
  return list.every((each) => isJsonObject(each) && typeof each.containerId === "string")
    ? (list as JsonObject[])
    : null;
}

const findContainer = (containers: readonly JsonObject[], number: string): JsonObject | undefined =>
  containers.find(({ containerId }) => normalizeContainerNumber(String(containerId)) === number);

/** Values of one document, and how many of them are in words that its documentation does not have. */
class Reader {
  readonly #timeZone: string;
  readonly #members: JsonObject;
  unmapped = 0;

  constructor(members: JsonObject, timeZone: string) {
    this.#members = members;
    this.#timeZone = timeZone;
  }

  text(name: string): string | null {
    return textOf(this.#members[name]);
  }

  /** Undefined: absent, or not documented. */
  oneOf<Value>(name: string, values: Readonly<Record<string, Value>>): Value | undefined {
    const key = lowerCaseText(this.#members[name]);
    if (key === null) return undefined;
    if (Object.hasOwn(values, key)) return values[key];
    this.unmapped++;
    return undefined;
  }

  time(name: string): EventTime | undefined {
    const text = this.text(name);
    const time = text === null ? null : readEventTime(text, this.#timeZone);
    if (text !== null && time === null) this.unmapped++;
    return time ?? undefined;
  }

  /** Undefined: the member is absent, or its text is no amount. */
  amount(name: string): number | undefined {
    const text = this.text(name);
    if (text === null) return undefined;
    const digits = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?$/.exec(text);
    if (digits === null) this.unmapped++;
    return digits === null ? undefined : Number(`${digits[1]?.replaceAll(",", "")}${digits[2] ?? ""}`);
  }

  has(name: string): boolean {
    return name in this.#members && this.#members[name] !== null && this.#members[name] !== undefined;
  }

  /** A list, or a text with commas. */
  list(name: string): readonly string[] {
    const value = this.#members[name];
    const parts = Array.isArray(value) ? value : (textOf(value)?.split(/[,;|]/) ?? []);
    return parts.flatMap((part) => textOf(part) ?? []);
  }
}

const yesOrNo = { true: true, yes: true, y: true, false: false, no: false, n: false };
/** Values of containerState. */
const states = { advised: 0, inbound: 0, yard: 0, loaded: 0, departed: 0, retired: 0 };
/** Holds that the documentation names. Others are shown in the words of the terminal. */
const holdNames: Readonly<Record<string, string>> = {
  freight: "freight",
  "freight hold": "freight",
  customs: "customs",
  "customs hold": "customs",
};

function readAppointment(state: Reader): ReportedVisit["appointment"] {
  const hasAppointment = state.oneOf("appointment", yesOrNo);
  const at = state.time("appointmentDateTimeLocal")?.at;
  if (hasAppointment === false) return { at: null };
  return at === undefined ? undefined : { at };
}

/** Import Availability: the state of a container, without the times since when. */
function readState(state: Reader, { facility, place }: FacilityQuery): ReportedVisit {
  state.oneOf("containerState", states);
  const isReady = state.oneOf("readyForDelivery", yesOrNo);
  const holds = state.list("containerHolds").map((text) => {
    const name = holdNames[text.toLowerCase()];
    if (name === undefined) state.unmapped++;
    return { name: name ?? "other", status: "hold" as const, description: text };
  });
  const owed = state.amount("demurrageOwed");
  const lastFreeDay = state.time("storagePaidThroughDate")?.localDate;
  const discharged = state.time("dischargeDateTimeLocal");
  const out = state.time("facilityOutDateTimeLocal");
  const fee = { type: "demurrage" as const, amount: owed ?? 0, currencyCode: facility.currencyCode };
  return {
    facility: {
      UNLocationCode: place,
      facilityCode: facility.smdgCode,
      facilityCodeListProvider: facility.smdgCode === null ? null : "SMDG",
      facilityTypeCode: "POTE",
      name: facility.name,
      timeZone: facility.timeZone,
    },
    availability: isReady === undefined ? undefined : { isAvailable: isReady },
    holds: state.has("containerHolds") ? { list: holds } : undefined,
    fees: owed === undefined ? undefined : { list: owed > 0 ? [fee] : [] },
    lastFreeDay: lastFreeDay ? { day: lastFreeDay } : undefined,
    appointment: readAppointment(state),
    yardLocation: state.has("yardLocation") ? { text: state.text("yardLocation") } : undefined,
    discharge: discharged && { at: discharged.at, timePrecision: discharged.precision },
    gateMoves: out ? [{ direction: "out", at: out.at, timePrecision: out.precision, isEmpty: false, mode: null }] : [],
  };
}

/** Events by the words of the documentation; null: known, but no event that is tracked. */
const eventTypes: Readonly<Record<string, "DISC" | "GTOT TRUCK" | "GTOT RAIL" | null>> = {
  "container discharged from vessel": "DISC",
  "container discharged from railcar": null,
  "container loaded onto vessel": null,
  "container moved to yard": null,
  "container damage recorded": null,
  "customs charges applied": null,
  "custom holds applied": null,
  "custom holds released": null,
  "container details updated": null,
  "vgm assigned": null,
  "container repaired": null,
  "unit pre-advised": null,
  "unit entered terminal via truck": null,
  "unit entered terminal via rail": null,
  "unit exited terminal via truck": "GTOT TRUCK",
  "unit exited terminal via rail": "GTOT RAIL",
  "unit in the yard and available for collection by truck": null,
  "unit received from a truck": null,
  "unit delivered to a truck": null,
  "container routing changed": null,
};

/** Container Event History: what it adds to the state. */
function readHistory(
  container: JsonObject,
  timeZone: string,
): Pick<ReportedVisit, "discharge" | "gateMoves"> & { readonly unmapped: number } {
  const details = Array.isArray(container.eventDetails) ? container.eventDetails : [container.eventDetails];
  let discharge: ReportedVisit["discharge"];
  const gateMoves: ReportedVisit["gateMoves"][number][] = [];
  let unmapped = 0;
  for (const detail of details.filter(isJsonObject)) {
    const reader = new Reader(detail, timeZone);
    const event = reader.oneOf("eventType", eventTypes);
    const time = event ? reader.time("performedDateTimeLocal") : undefined;
    unmapped += reader.unmapped;
    if (!event || time === undefined) continue;
    if (event === "DISC") discharge = { at: time.at, timePrecision: time.precision };
    else {
      const mode = event === "GTOT RAIL" ? ("RAIL" as const) : ("TRUCK" as const);
      gateMoves.push({ direction: "out", at: time.at, timePrecision: time.precision, isEmpty: false, mode });
    }
  }
  return { discharge, gateMoves, unmapped };
}

/** Track & Trace of APM Terminals: Import Availability, and Container Event History. */
export const apmTerminals: TerminalApi = {
  requests({ facility, containerNumber }, { eventHistory }) {
    const parameters = { assetId: containerNumber, facilityCode: facility.code };
    const state = { path: "/import-availability", parameters };
    return eventHistory ? [state, { path: "/container-event-history", parameters }] : [state];
  },
  read([availability, history], query): TerminalReading | null {
    const { facility, containerNumber } = query;
    const states = containersIn(availability);
    if (states === null) return null;
    // The state is worth more than the events: these are left out when they cannot be read.
    const histories = containersIn(history ?? []);
    const own = findContainer(states, containerNumber);
    if (own === undefined) return { visit: null, unmapped: 0 };
    const state = new Reader(own, facility.timeZone);
    const visit = readState(state, query);
    const events = readHistory(findContainer(histories ?? [], containerNumber) ?? {}, facility.timeZone);
    return {
      visit: {
        ...visit,
        discharge: visit.discharge ?? events.discharge,
        // The events name the means of transport, the state does not.
        gateMoves: events.gateMoves.length > 0 ? events.gateMoves : visit.gateMoves,
      },
      unmapped: state.unmapped + events.unmapped + Number(histories === null),
    };
  },
};
