import { isJsonObject, type JsonObject } from "@svc/domain";
import { parseJsonBody } from "../json-body.ts";

const objectsOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

interface Status {
  readonly code: "GTOT" | "GTIN" | "LOAD" | "DISC";
  readonly empty: "EMPTY" | "LADEN";
}

/** Null: it has no event of DCSA. A status that is missing here is counted as one that cannot be read. */
const statuses: Readonly<Record<string, Status | null>> = {
  "empty equipment despatched": { code: "GTOT", empty: "EMPTY" },
  "gate-in at first pol": { code: "GTIN", empty: "LADEN" },
  "cargo received": null,
  "loaded at first pol": { code: "LOAD", empty: "LADEN" },
  "discharged at t/s pod": { code: "DISC", empty: "LADEN" },
  "loaded at t/s pol": { code: "LOAD", empty: "LADEN" },
  "discharged at last pod": { code: "DISC", empty: "LADEN" },
  "gate-out from last pod": { code: "GTOT", empty: "LADEN" },
  "gate-in at final hub": { code: "GTIN", empty: "LADEN" },
  "gate-out from final hub": { code: "GTOT", empty: "LADEN" },
  "empty equipment returned": { code: "GTIN", empty: "EMPTY" },
};

/** `2015-10-25 17:00`, local time of the place. */
const timeOf = (value: unknown): string | undefined => textOf(value).replace(" ", "T") || undefined;

function statusEvent(status: JsonObject, seal: string): JsonObject | null {
  const known = statuses[textOf(status.containerNumberStatus).toLowerCase().replace(/\s+/g, " ")];
  if (known === null) return null;
  return {
    eventType: "EQUIPMENT",
    eventClassifierCode: "ACT",
    equipmentEventTypeCode: known?.code,
    emptyIndicatorCode: known?.empty,
    equipmentReference: status.containerNumber,
    eventDateTime: timeOf(status.timeOfIssue),
    eventLocation: { locationName: status.location },
    transportCall: { modeOfTransport: textOf(status.transportation).toUpperCase() },
    ...(seal !== "" && { seals: [{ sealNumber: seal }] }),
  };
}

/** Returns the events of the present journey; `containerHistorys` has those of earlier ones. */
const containerEvents = ({ container, containerCircleStatus }: JsonObject): readonly JsonObject[] => {
  const seal = isJsonObject(container) ? textOf(container.sealNumber) : "";
  return objectsOf(containerCircleStatus).flatMap((status): readonly JsonObject[] => {
    const event = statusEvent(status, seal);
    return event === null ? [] : [event];
  });
};

/**
 * The place where a voyage begins. It is named without its country, which follows from the previous port of discharge
 * or, for the first voyage, from the place of receipt; a name that then fits no place stays without UN/LOCODE.
 */
function loadingPlace(name: string, previous: JsonObject | undefined, receipt: string): string {
  if (previous && textOf(previous.portOfDischarge) === name) return textOf(previous.city);
  return `${name},${receipt.split(",").at(-1)?.trim() ?? ""}`;
}

function voyageEvents(shipments: readonly JsonObject[], receipt: string): readonly JsonObject[] {
  return shipments.flatMap((voyage, index) => {
    const from = loadingPlace(textOf(voyage.portOfLoading), shipments[index - 1], receipt);
    const to = textOf(voyage.city);
    const event = (code: "DEPA" | "ARRI", classifier: "EST" | "ACT", time: unknown, place: string): JsonObject[] => {
      const eventDateTime = timeOf(time);
      if (eventDateTime === undefined) return [];
      return [
        {
          eventType: "TRANSPORT",
          eventClassifierCode: classifier,
          transportEventTypeCode: code,
          eventDateTime,
          eventLocation: { locationName: place },
          transportCall: {
            modeOfTransport: "VESSEL",
            exportVoyageNumber: voyage.voyageNo,
            importVoyageNumber: voyage.voyageNo,
            vessel: { vesselName: voyage.vesselName },
          },
        },
      ];
    };
    return [
      ...event("DEPA", "EST", voyage.expectedDateOfDeparture, from),
      ...event("DEPA", "ACT", voyage.actualDepartureDate, from),
      ...event("ARRI", "EST", voyage.estimatedDateOfArrival, to),
      ...event("ARRI", "ACT", voyage.actualArrivalDate, to),
    ];
  });
}

/** `content` of a reply; undefined: it is no reply of the tracking, or one of an error. */
function contentOf(reply: unknown): JsonObject | null | undefined {
  if (!isJsonObject(reply) || Number(reply.code) !== 0 || !isJsonObject(reply.data)) return undefined;
  const { content } = reply.data;
  return isJsonObject(content) || content === null ? content : undefined;
}

/**
 * The events of a reply, or of an array of replies, as events of DCSA Track & Trace 2.2. An unknown number has none.
 * Null when it is no reply.
 */
export function readCoscoEvents(body: Uint8Array): readonly JsonObject[] | null {
  const value = parseJsonBody(body);
  const contents = (Array.isArray(value) ? value : [value]).map(contentOf);
  if (contents.includes(undefined)) return null;
  return contents.flatMap((content) => {
    if (!content) return [];
    const path = isJsonObject(content.trackingPath) ? content.trackingPath : {};
    return [
      ...voyageEvents(objectsOf(content.actualShipment), textOf(path.fromCity)),
      ...objectsOf(content.containers).flatMap(containerEvents),
    ];
  });
}

/** The containers of a bill of lading or a booking, whose events are in documents of their own. */
export function readContainerNumbers(body: Uint8Array): readonly string[] {
  const content = contentOf(parseJsonBody(body));
  const numbers = objectsOf(content?.containerStatus)
    .flatMap(({ containers }) => objectsOf(containers))
    .map(({ containerNumber }) => textOf(containerNumber));
  return [...new Set(numbers)].filter((number) => number !== "");
}
