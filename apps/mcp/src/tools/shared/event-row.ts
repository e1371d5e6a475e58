import { compareText } from "@svc/domain";
import type { MappedTransportEvent } from "@svc/sdk";
import { z } from "zod";

/** A milestone in a result; `event` is a code of the milestone glossary, without its prefix. */
export const eventRow = z.object({
  event: z.string(),
  at: z.string().optional(),
  locode: z.string().optional(),
  location: z.string().optional(),
  timezone: z.string().optional(),
  terminal: z.string().optional(),
  vessel: z.string().optional(),
  voyage: z.string().optional(),
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
