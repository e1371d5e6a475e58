import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

const count = z.int().min(0);

/** An imported file of events and its status. */
export const EventImportResource = resourceObject(
  "event_import",
  {
    status: z.enum(["pending", "applied"]).describe("pending: stored and waiting to be applied."),
    events_count: count,
    applied_count: count.describe("Number of events whose number was tracked when the import was applied."),
    new_facts_count: count.describe("Number of events that were not known before."),
    unapplied_rows: z
      .array(z.int().min(1))
      .describe(
        "Rows that were not applied, counted from 1: the tracking of their number ended before the import was applied. Send the file again when the number is tracked again.",
      ),
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
    readonly isProcessed: boolean;
    readonly events: number;
    readonly applied: number;
    readonly newFacts: number;
    readonly unappliedRows: readonly number[];
  },
  baseUrl: string,
): EventImportResource {
  return {
    id: state.id,
    type: "event_import",
    attributes: {
      status: state.isProcessed ? "applied" : "pending",
      events_count: state.events,
      applied_count: state.applied,
      new_facts_count: state.newFacts,
      unapplied_rows: [...state.unappliedRows],
      created_at: state.receivedAt,
    },
    links: { self: `${baseUrl}/event_imports/${state.id}` },
  };
}
