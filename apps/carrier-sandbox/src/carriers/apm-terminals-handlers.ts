import type { CarrierServer } from "@svc/carriers/carrier-server";
import type { Request, RequestHandler, Response } from "express";
import { localDateTime } from "../dcsa/local-time.ts";
import type { Voyage } from "../sandbox-carrier.ts";
import { terminalReport } from "../terminal/terminal-report.ts";
import { terminalStays } from "../terminal/terminal-stay.ts";
import type { Container } from "../voyage/shipment.ts";

/** A container in the sandbox's own numbers, with its voyage. */
export type ContainerSearch = (text: string) => { readonly voyage: Voyage; readonly container: Container } | null;

interface Visit {
  readonly facility: { readonly UNLocationCode: string; readonly facilityTypeCode: string; readonly timeZone: string };
  readonly availability?: { readonly isAvailable: boolean };
  readonly holds?: { readonly list: readonly { readonly name: string; readonly description: string }[] };
  readonly fees?: { readonly list: readonly { readonly type: string; readonly amount: number }[] };
  readonly lastFreeDay?: { readonly day: string };
  readonly appointment?: { readonly at: string };
  readonly yardLocation?: { readonly text: string | null };
  readonly gateMoves: readonly { readonly at: string }[];
}

interface Stay {
  readonly number: string;
  readonly voyage: Voyage;
  readonly visit: Visit;
  readonly unloadedAt: number;
}

interface Dependencies {
  readonly connection: Readonly<Record<string, unknown>>;
  readonly findContainer: ContainerSearch;
  readonly now: () => number;
}

/** Local time with the offset, as the documentation writes it. */
const local = (at: number, { facility }: Visit): string => localDateTime(at, facility.timeZone);

/** The ports by the code of the facility. */
function portsOf({ terminal }: Readonly<Record<string, unknown>>): ReadonlyMap<string, readonly string[]> {
  const { facilities } = terminal as { facilities: readonly { code: string; locodes: readonly string[] }[] };
  return new Map(facilities.map(({ code, locodes }) => [code, locodes]));
}

/** Import Availability. A customs hold is named; what the carrier requires is in the terminal's own words. */
function importAvailability({ number, visit, voyage, unloadedAt }: Stay, now: number): object {
  const out = visit.gateMoves[0] && Date.parse(visit.gateMoves[0].at);
  const owed = visit.fees?.list.reduce((sum, { amount }) => sum + amount, 0) ?? 0;
  const appointment = visit.appointment && Date.parse(visit.appointment.at);
  const isUnloaded = unloadedAt <= now;
  const presentState = isUnloaded ? "Yard" : "Inbound";
  return {
    containerId: number,
    billOfLading: voyage.shipment.billOfLading.replace(/^SBX/, ""),
    readyForDelivery: visit.availability?.isAvailable ? "true" : "false",
    containerState: out === undefined ? presentState : "Departed",
    dischargeDateTimeLocal: isUnloaded ? local(unloadedAt, visit) : "",
    yardLocation: visit.yardLocation?.text ?? "",
    containerHolds: (visit.holds?.list ?? [])
      .map(({ name, description }) => (name === "customs" ? "Customs" : description))
      .join(", "),
    storagePaidThroughDate: visit.lastFreeDay?.day ?? "",
    demurrageOwed: owed.toFixed(2),
    facilityOutDateTimeLocal: out === undefined ? "" : local(out, visit),
    appointment: appointment === undefined ? "No" : "Yes",
    appointmentDateTimeLocal: appointment === undefined ? "" : local(appointment, visit),
  };
}

/** Container Event History. The last event is one that the documentation does not name. */
function eventHistory({ number, visit, unloadedAt }: Stay, now: number): object {
  const event = (at: number, eventType: string) => ({
    performedDateTimeLocal: local(at, visit),
    eventType,
    positionNotes: "",
  });
  const discharged = unloadedAt <= now ? [event(unloadedAt, "Container discharged from vessel")] : [];
  const out = visit.gateMoves.map(({ at }) => event(Date.parse(at), "Unit exited terminal via truck"));
  return {
    containerId: number,
    shippingLine: number.slice(0, 3),
    eventDetails: [event(unloadedAt - 3_600_000, "Unit pre-advised"), ...discharged, ...out].concat(
      discharged.length > 0 ? [event(unloadedAt, "Storage updated")] : [],
    ),
  };
}

/** Track & Trace of APM Terminals, with the containers of the imitated shipping lines at its ports. */
export function apmTerminalsHandlers(
  server: Extract<CarrierServer, { kind: "apm-terminals" }>,
  { connection, findContainer, now: clock }: Dependencies,
): Readonly<Record<string, RequestHandler>> {
  const ports = portsOf(connection);
  const findStays = (number: string, served: readonly string[], now: number): readonly Stay[] => {
    const found = findContainer(number);
    if (found === null) return [];
    const report = terminalReport(found.voyage, found.container, now) as { readonly visits: readonly Visit[] } | null;
    const stays = terminalStays(found.voyage.facts, found.container, now);
    return (report?.visits ?? []).flatMap((visit, index) => {
      const unloadedAt = stays[index]?.unloadedAt;
      const isHere = visit.facility.facilityTypeCode === "POTE" && served.includes(visit.facility.UNLocationCode);
      return isHere && unloadedAt !== undefined ? [{ number, voyage: found.voyage, visit, unloadedAt }] : [];
    });
  };
  const respondWith = (form: (stay: Stay, now: number) => object) => (request: Request, response: Response) => {
    const { assetId, facilityCode } = request.query;
    const served = typeof facilityCode === "string" ? ports.get(facilityCode) : undefined;
    if (typeof assetId !== "string" || assetId === "" || served === undefined) {
      response.status(400).json({ message: "assetId or facilityCode is not valid." });
      return;
    }
    const now = clock();
    const numbers = assetId.split(",").map((number) => number.trim().toUpperCase());
    response.json(numbers.flatMap((number) => findStays(number, served, now).map((stay) => form(stay, now))));
  };
  return { [server.eventsPath]: respondWith(importAvailability), [server.historyPath]: respondWith(eventHistory) };
}
