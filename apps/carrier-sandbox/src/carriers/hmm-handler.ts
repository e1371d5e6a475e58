import type { RequestHandler } from "express";
import type { DcsaEvent } from "../dcsa/event-schema.ts";
import { publishedFactsAt } from "../voyage/fact.ts";
import { type ImitationDependencies, textOf } from "./dcsa-handler.ts";

/** `LADEN` as `Laden`, as HMM writes words. */
const capitalized = (word: string): string => `${word.charAt(0)}${word.slice(1).toLowerCase()}`;

function hmmEvent(event: DcsaEvent): object {
  if (event.eventType === "SHIPMENT") return { ...event, eventType: capitalized(event.eventType) };
  const { transportCall, ...rest } = event;
  return {
    ...rest,
    eventType: capitalized(event.eventType),
    transportCallID: transportCall?.transportCallID,
    ...("emptyIndicatorCode" in event && { emptyIndicatorCode: capitalized(event.emptyIndicatorCode) }),
    ...("eventLocation" in event && { eventLocation: event.eventLocation?.UNLocationCode }),
  };
}

/** HMM's Cargo Tracking: one object of lists. A query names a booking, and a container or "ZZ" for all of them. */
export function hmmHandler({ carrier, numbers, now: clock }: ImitationDependencies): RequestHandler {
  return (request, response) => {
    const now = clock();
    const booking = textOf(request.query.carrierBookingReference);
    const container = textOf(request.query.equipmentReference);
    if (booking === undefined || container === undefined) {
      response.status(400).json({ message: "carrierBookingReference and equipmentReference are required." });
      return;
    }
    const reference = numbers.isPrefixed(booking) ? null : numbers.reference(booking);
    // A booking and its bill of lading have the same number.
    const voyage = carrier.byBooking(reference ?? "", now) ?? carrier.byBillOfLading(reference ?? "", now);
    const requestedContainer = container === "ZZ" ? null : numbers.container(container);
    const events = publishedFactsAt(voyage?.facts ?? [], now)
      .filter(({ containers }) => requestedContainer === null || containers.includes(requestedContainer))
      .map(({ event }) => event);
    const calls = events.flatMap((event) =>
      event.eventType === "SHIPMENT" || event.transportCall === undefined ? [] : [event.transportCall],
    );
    const modes = calls.map((call) => [
      call.transportCallID,
      { ...call, modeOfTransport: capitalized(call.modeOfTransport) },
    ]);
    const eventsOfType = (type: DcsaEvent["eventType"]) =>
      events.filter(({ eventType }) => eventType === type).map(hmmEvent);
    const body = {
      shipment: { carrierBookingReference: booking },
      transport: {},
      equipment: {},
      shipmentEvent: eventsOfType("SHIPMENT"),
      transportEvent: eventsOfType("TRANSPORT"),
      equipmentEvent: eventsOfType("EQUIPMENT"),
      transportCall: Object.values(Object.fromEntries(modes)),
    };
    response.type("json").send(numbers.ofCarrier(JSON.stringify(body)));
  };
}
