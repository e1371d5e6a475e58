import type { DcsaEvent } from "../dcsa/event-schema.ts";
import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

/** Gate moves have only a date, departures and arrivals the local time without its offset. */
function loosened(event: DcsaEvent): DcsaEvent {
  const time = event.eventDateTime;
  if (event.eventType === "TRANSPORT") return { ...event, eventDateTime: time.slice(0, 19) };
  const isGateMove = event.eventType === "EQUIPMENT" && ["GTIN", "GTOT"].includes(event.equipmentEventTypeCode);
  return isGateMove ? { ...event, eventDateTime: time.slice(0, 10) } : event;
}

export const looseTimes: Scenario = {
  code: "TZM",
  story: "Direct voyage; departures and arrivals lack the offset, gate moves have only a date.",
  writesLooseTimes: true,
  timeline: (shipment) => directTimeline(shipment).map((fact) => ({ ...fact, event: loosened(fact.event) })),
};
