import type { DcsaEvent } from "../dcsa/event-schema.ts";

/** Deviations of real carriers from DCSA Track & Trace 2.2; docs/sandbox.md describes each. */
const quirkNames = [
  "plan_spelling",
  "wrapped_body",
  "header_aliases",
  "bare_cursor",
  "no_cursor",
  "missing_offset",
  "local_as_zulu",
  "prefix_required",
  "prefix_refused",
  "unstable_call_ids",
  "created_at_reply",
] as const;
export type Quirk = (typeof quirkNames)[number];
export type Quirks = ReadonlySet<Quirk>;

const known: ReadonlySet<string> = new Set(quirkNames);

/** Parses the header `Sandbox-Quirks`, comma-separated names; returns the first unknown name if there is one. */
export function readQuirks(text: string | undefined): Quirks | { readonly unknown: string } {
  const names = (text ?? "").split(",").flatMap((name) => name.trim().toLowerCase() || []);
  const unknown = names.find((name) => !known.has(name));
  return unknown === undefined ? new Set(names as Quirk[]) : { unknown };
}

const offset = /(Z|[+-]\d{2}:\d{2})$/;

/** The response that contains an event: some quirks write values that differ between responses. */
export interface QuirkyReply {
  readonly id: string;
  /** RFC 3339, in UTC. */
  readonly at: string;
}

/** An event in the form of a carrier with these quirks. */
export function quirkyEvent(event: DcsaEvent, quirks: Quirks, reply: QuirkyReply): object {
  const { eventDateTime, eventClassifierCode } = event;
  const isLocal = event.eventType !== "SHIPMENT";
  return {
    ...event,
    ...(quirks.has("created_at_reply") && { eventCreatedDateTime: reply.at }),
    ...(quirks.has("plan_spelling") && eventClassifierCode === "PLN" && { eventClassifierCode: "PLAN" }),
    ...(isLocal && quirks.has("missing_offset") && { eventDateTime: eventDateTime.replace(offset, "") }),
    ...(isLocal && quirks.has("local_as_zulu") && { eventDateTime: eventDateTime.replace(offset, "Z") }),
    ...(isLocal &&
      event.transportCall !== undefined &&
      quirks.has("unstable_call_ids") && {
        transportCall: {
          ...event.transportCall,
          transportCallID: `${event.transportCall.transportCallID}-${reply.id}`,
        },
      }),
  };
}

/** The headers with the links to the other pages. */
export function quirkyLinks(links: Readonly<Record<string, string>>, quirks: Quirks): Record<string, string> {
  if (quirks.has("no_cursor")) return {};
  if (quirks.has("bare_cursor")) {
    const next = links["Next-Page"];
    const cursor = next === undefined ? null : new URL(next).searchParams.get("cursor");
    return cursor === null ? {} : { "Next-Page-Cursor": cursor };
  }
  if (!quirks.has("header_aliases")) return { ...links };
  return Object.fromEntries(Object.entries(links).map(([name, link]) => [`X-${name}`, link]));
}
