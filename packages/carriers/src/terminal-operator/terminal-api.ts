import { locodeShape } from "@svc/domain/identifiers";
import { z } from "zod";
import type { ReportedVisit } from "../terminal/terminal-observation.ts";

const locode = z.string().regex(locodeShape, "must be a UN/LOCODE");

/** A terminal of an operator. */
export const Facility = z.strictObject({
  /** Code by which the operator's API names the terminal. */
  code: z.string().min(1).max(20),
  name: z.string().min(1).max(100),
  /** UN/LOCODEs by which shipping lines name its port. The first is used by a test call. */
  locodes: z.array(locode).min(1),
  /** Code in the list of SMDG, which shipping lines use. */
  smdgCode: z.string().min(1).max(6).nullable().default(null),
  timeZone: z.string().min(1),
  /** Currency of the amounts that the API writes without one. */
  currencyCode: z.string().length(3),
});
export type Facility = z.output<typeof Facility>;

/** A terminal operator's part of a connection. */
export const TerminalOptions = z.strictObject({
  facilities: z.array(Facility).min(1),
  /** Whether the events of a container are requested in addition to its state: one more request each time. */
  eventHistory: z.boolean().default(true),
});
export type TerminalOptions = z.output<typeof TerminalOptions>;

/** A container at a facility, whose port the shipping line names by `place`. */
export interface FacilityQuery {
  readonly facility: Facility;
  readonly place: string;
  readonly containerNumber: string;
}

export interface TerminalReading {
  /** Null: the operator does not have or expect the container. */
  readonly visit: ReportedVisit | null;
  /** Values in words that are not documented: nothing is derived from them. */
  readonly unmapped: number;
}

/** A request for one document. */
export interface TerminalRequest {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The API of a terminal operator. */
export interface TerminalApi {
  /** Returns requests in order. The later ones are sent only when the operator knows the container by the first. */
  requests(query: FacilityQuery, options: TerminalOptions): readonly [TerminalRequest, ...TerminalRequest[]];
  /** Reads the documents of the requests, of which later ones may be missing; null: they are none of this API. */
  read(documents: readonly unknown[], query: FacilityQuery): TerminalReading | null;
}
