import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

const count = z.int().min(0);

/** A file of events and what became of it. */
export const EventImportResource = resourceObject(
  "event_import",
  {
    status: z.enum(["pending", "applied"]).describe("pending: stored, and about to be applied to what is tracked."),
    events_count: count,
    applied_count: count.describe("Events that belong to something that is tracked at the time of their application."),
    new_facts_count: count.describe("What of them was not known before."),
    created_at: dateTime,
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "EventImport" });

export type EventImportResource = z.infer<typeof EventImportResource>;

export function eventImportResource(
  state: {
    readonly id: string;
    readonly receivedAt: string;
    readonly isShared: boolean;
    readonly events: number;
    readonly applied: number;
    readonly newFacts: number;
  },
  baseUrl: string,
): EventImportResource {
  return {
    id: state.id,
    type: "event_import",
    attributes: {
      status: state.isShared ? "applied" : "pending",
      events_count: state.events,
      applied_count: state.applied,
      new_facts_count: state.newFacts,
      created_at: state.receivedAt,
    },
    links: { self: `${baseUrl}/event_imports/${state.id}` },
  };
}
