import { z } from "zod";

/** Deviations of a carrier from DCSA Track & Trace 2.2. The defaults follow the standard. */
export const QuirkProfile = z.strictObject({
  /** Path of the events below the base URL; null: `/v2/events`, or `/v3/events` for 3.0. */
  eventsPath: z
    .string()
    .regex(/^\/[^?#]*$/, "must begin with / and hold no query")
    .nullable()
    .default(null),
  /** The member with the events when the body is an object instead of an array. */
  eventsMember: z.string().min(1).default("events"),
  /** Spellings of the classifier besides PLN, EST and ACT. Evergreen writes PLAN. */
  classifiers: z.record(z.string(), z.enum(["PLN", "EST", "ACT"])).default({ PLAN: "PLN" }),
  /**
   * Response headers with the URL of the next page or a bare cursor (Next-Page-Cursor of 3.0). Empty: the carrier has
   * no pages.
   */
  nextPageHeaders: z.array(z.string().toLowerCase()).default(["next-page", "next-page-cursor"]),
  /** Whether bills of lading are sent with the SCAC in front; Evergreen returns 500 for them. */
  billOfLadingPrefix: z.enum(["as_given", "with", "without"]).default("as_given"),
  /** Other prefixes of bills of lading besides the SCAC of the connection. */
  billOfLadingPrefixes: z.array(z.string().regex(/^[A-Z]{4}$/)).default([]),
  /** Page size, sent as `limit`; null where the carrier rejects the parameter. */
  pageSize: z.int().min(1).max(1_000).nullable().default(100),
  /** Places are words without UN/LOCODE, of which the directory of places has some. */
  placesInWords: z.boolean().default(false),
  /** The carrier writes Z or an offset after local times. */
  offsetIsLocal: z.boolean().default(false),
  /** transportCallID is stable. False where the carrier creates a new one for every reply. */
  stableTransportCallIds: z.boolean().default(true),
});
export type QuirkProfile = z.output<typeof QuirkProfile>;
