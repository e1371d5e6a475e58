import { z } from "zod";

/** How a carrier departs from the DCSA Track & Trace 2.2 text. The defaults are the text itself. */
export const QuirkProfile = z.strictObject({
  /** Where events are asked for, below the base address; null: `/v2/events`, and `/v3/events` for 3.0. */
  eventsPath: z
    .string()
    .regex(/^\/[^?#]*$/, "must begin with / and hold no query")
    .nullable()
    .default(null),
  /** The member that holds the events when the body is an object instead of a bare array. */
  eventsMember: z.string().min(1).default("events"),
  /** Spellings of the classifier besides PLN, EST and ACT. Evergreen writes PLAN. */
  classifiers: z.record(z.string(), z.enum(["PLN", "EST", "ACT"])).default({ PLAN: "PLN" }),
  /**
   * Response headers that may hold the address of the next page, or its bare cursor (3.0 writes one in Next-Page-Cursor). Empty:
   * the carrier has no pages.
   */
  nextPageHeaders: z.array(z.string().toLowerCase()).default(["next-page", "next-page-cursor"]),
  /** Whether the line wants its own SCAC in front of a bill of lading; Evergreen answers 500 when it is there. */
  billOfLadingPrefix: z.enum(["as_given", "with", "without"]).default("as_given"),
  /** What may be in front of a bill of lading besides the SCAC of the connection. */
  billOfLadingPrefixes: z.array(z.string().regex(/^[A-Z]{4}$/)).default([]),
  /** Sent as `limit`; null where the carrier refuses the parameter. */
  pageSize: z.int().min(1).max(1_000).nullable().default(100),
  /** The carrier writes Z, or an offset, behind what is really the local time of the place. */
  offsetIsLocal: z.boolean().default(false),
  /** transportCallID names the same call in every reply. Off where the carrier makes a new one each time. */
  stableTransportCallIds: z.boolean().default(true),
});
export type QuirkProfile = z.output<typeof QuirkProfile>;
