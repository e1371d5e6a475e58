import { compareText } from "@svc/domain";
import type { MappedTransportEvent } from "@svc/sdk";
import { z } from "zod";
import { optionalText } from "./fields.ts";

/** A milestone in a result; `event` is a code of the milestone glossary, without its prefix. */
export const eventRow = z.object({
  event: z.string(),
  at: optionalText,
  locode: optionalText,
  location: optionalText,
  timezone: optionalText,
  terminal: optionalText,
  vessel: optionalText,
  voyage: optionalText,
});

export function toEventRow(event: MappedTransportEvent) {
  return {
    event: event.event.replace("container.transport.", ""),
    at: event.timestamp,
    locode: event.locationLocode,
    location: event.location?.name,
    timezone: event.timezone,
    terminal: event.terminal?.name,
    vessel: event.vessel?.name,
    voyage: event.voyageNumber,
  };
}

/** Sorts events by time; those without a time last. */
export function chronological(events: readonly MappedTransportEvent[]): MappedTransportEvent[] {
  const key = (event: MappedTransportEvent) => event.timestamp ?? "9999";
  return events.toSorted((a, b) => compareText(key(a), key(b)));
}
