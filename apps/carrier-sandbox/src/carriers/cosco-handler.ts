import type { RequestHandler } from "express";
import type { DcsaEvent } from "../dcsa/event-schema.ts";
import type { Voyage } from "../sandbox-carrier.ts";
import { publishedFactsAt } from "../voyage/fact.ts";
import { places } from "../world/places.ts";
import { findContainerVoyage, type ImitationDependencies, textOf } from "./dcsa-handler.ts";

type EquipmentEvent = Extract<DcsaEvent, { eventType: "EQUIPMENT" }>;
type TransportEvent = Extract<DcsaEvent, { eventType: "TRANSPORT" }>;

const regions = new Intl.DisplayNames(["en"], { type: "region" });
const findPlace = (locode: string | undefined) => Object.values(places).find((place) => place.locode === locode);
const countryOf = (locode: string | undefined): string => regions.of(locode?.slice(0, 2) ?? "") ?? "";
const cityOf = (locode: string | undefined): string => findPlace(locode)?.name ?? locode ?? "";
/** `2015-10-25 17:00`, local time. */
const timeOf = (event: DcsaEvent): string => event.eventDateTime.slice(0, 16).replace("T", " ");
const locodeOf = (event: EquipmentEvent | TransportEvent): string | undefined =>
  ("eventLocation" in event ? event.eventLocation?.UNLocationCode : undefined) ?? event.transportCall?.UNLocationCode;

/** The words for an event of a container. Null: COSCO does not report it. */
function eventText(event: EquipmentEvent, loads: number, discharges: number, isLast: boolean): string | null {
  const isEmpty = event.emptyIndicatorCode === "EMPTY";
  const code = event.equipmentEventTypeCode;
  if (code === "GTOT" && isEmpty) return "Empty Equipment Despatched";
  if (code === "GTOT") return discharges === 0 ? null : "Gate-out from Last POD";
  if (code === "GTIN" && isEmpty) return "Empty Equipment Returned";
  if (code === "GTIN") return loads === 0 ? "Gate-In at First POL" : "Gate-in at Final Hub";
  if (code === "LOAD") return loads === 0 ? "Loaded at First POL" : "Loaded at T/S POL";
  if (code === "DISC") return isLast ? "Discharged at Last POD" : "Discharged at T/S POD";
  return null;
}

interface ContainerStatus {
  readonly containerNumber: string;
  readonly containerNumberStatus: string;
  readonly location: string;
  readonly timeOfIssue: string;
  readonly transportation: string;
}

/** Newest first, as COSCO lists them. */
function statusesOf(number: string, events: readonly DcsaEvent[]): readonly ContainerStatus[] {
  const own = events.filter(
    (event): event is EquipmentEvent =>
      event.eventType === "EQUIPMENT" && event.eventClassifierCode === "ACT" && event.equipmentReference === number,
  );
  const ports = events.flatMap((event) => (isVesselEvent(event) && isArrival(event) ? [locodeOf(event)] : []));
  let [loads, discharges] = [0, 0];
  return own
    .flatMap((event) => {
      const locode = locodeOf(event);
      const statusText = eventText(event, loads, discharges, locode === ports.at(-1));
      if (event.equipmentEventTypeCode === "LOAD") loads++;
      if (event.equipmentEventTypeCode === "DISC") discharges++;
      if (statusText === null) return [];
      const mode = event.transportCall?.modeOfTransport ?? " ";
      const status = {
        containerNumber: number,
        containerNumberStatus: statusText,
        location: `${cityOf(locode)} Terminal,${cityOf(locode)},,${countryOf(locode)}`,
        timeOfIssue: timeOf(event),
        transportation: mode.charAt(0) + mode.slice(1).toLowerCase(),
      };
      const received = { ...status, containerNumberStatus: "Cargo Received" };
      return statusText === "Gate-In at First POL" ? [received, status] : [status];
    })
    .toReversed();
}

const isVesselEvent = (event: DcsaEvent): event is TransportEvent =>
  event.eventType === "TRANSPORT" && event.transportCall?.modeOfTransport === "VESSEL";
const isActual = (event: TransportEvent): boolean => event.eventClassifierCode === "ACT";
const isArrival = (event: TransportEvent): boolean => event.transportEventTypeCode === "ARRI";

/** The voyages of the shipment: each vessel from its departure to its arrival. */
function voyagesOf(events: readonly DcsaEvent[]): readonly object[] {
  const byVessel = Map.groupBy(events.filter(isVesselEvent), (event) => event.transportCall?.vessel?.vesselName ?? "");
  return [...byVessel].flatMap(([vesselName, moves]) => {
    const [arrivals, departures] = [moves.filter(isArrival), moves.filter((event) => !isArrival(event))];
    const newestTime = (candidates: readonly TransportEvent[]) => {
      const found = candidates.at(-1);
      return found ? timeOf(found) : null;
    };
    const actualTime = (candidates: readonly TransportEvent[]) => newestTime(candidates.filter(isActual));
    const expectedTime = (candidates: readonly TransportEvent[]) =>
      newestTime(candidates.filter((event) => !isActual(event)));
    const [from, to] = [departures.at(-1), arrivals.at(-1)].map((event) => event && locodeOf(event));
    if (from === undefined || to === undefined) return [];
    return [
      {
        vesselName,
        voyageNo: departures.at(-1)?.transportCall?.exportVoyageNumber,
        portOfLoading: cityOf(from),
        expectedDateOfDeparture: expectedTime(departures),
        actualDepartureDate: actualTime(departures),
        portOfDischarge: cityOf(to),
        estimatedDateOfArrival: expectedTime(arrivals),
        actualArrivalDate: actualTime(arrivals),
        city: `${cityOf(to)},${countryOf(to)}`,
        from,
      },
    ];
  });
}

function buildContent(voyage: Voyage, number: string | null, now: number): object {
  const events = publishedFactsAt(voyage.facts, now).map(({ event }) => event);
  const numbers = [...new Set(voyage.facts.flatMap(({ containers }) => containers))];
  const containers = (number === null ? numbers : [number]).map((each) => ({
    container: { containerNumber: each, containerType: "40HQ" },
    containerCircleStatus: statusesOf(each, events),
    containerHistorys: [],
  }));
  if (number !== null) return { containers, notFound: "" };
  const legs = voyagesOf(events);
  const [first] = legs as readonly { readonly from: string }[];
  return {
    actualShipment: legs.map((leg) => ({ ...leg, from: undefined })),
    trackingPath: { fromCity: `${cityOf(first?.from)} ,,${countryOf(first?.from)}` },
    containerStatus: containers.map(({ container, containerCircleStatus: [last] }) => ({
      label: last?.containerNumberStatus,
      containers: [{ ...container, label: last?.containerNumberStatus, locationDateTime: last?.timeOfIssue }],
    })),
  };
}

/** Cargo tracking of COSCO's open platform: the kind of the number is a parameter, and the number is in the path. */
export function coscoHandler(imitation: ImitationDependencies): RequestHandler {
  const { carrier, numbers, now: clock } = imitation;
  return (request, response) => {
    const now = clock();
    const requested = String(request.params.number);
    const reference = numbers.isPrefixed(requested) ? null : numbers.reference(requested);
    const container = numbers.container(requested);
    const find: Readonly<Record<string, () => Voyage | null>> = {
      bl: () => carrier.byBillOfLading(reference ?? "", now),
      bkg: () => carrier.byBooking(reference ?? "", now),
      cntr: () => findContainerVoyage(imitation, requested, now),
    };
    const numberType = textOf(request.query.numberType) ?? "none";
    const voyage = find[numberType]?.() ?? null;
    const content = voyage && buildContent(voyage, numberType === "cntr" ? container : null, now);
    const type = content === null ? "none" : numberType;
    const body = { code: 0, message: "success", data: { type, numberType: type, content } };
    response.type("json").send(numbers.ofCarrier(JSON.stringify(body)));
  };
}
