import { z } from "zod";
import type { Voyage } from "../sandbox-line.ts";
import { type Fault, faultStatuses } from "./fault.ts";

const FaultSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("status"),
    status: z.literal(faultStatuses),
    retryAfterSeconds: z.int().min(0).max(86_400).optional(),
  }),
  z.strictObject({
    kind: z.literal("rate_limit"),
    retryAfterSeconds: z.int().min(0).max(86_400),
    asDate: z.boolean().default(false),
  }),
  z.strictObject({ kind: z.literal("html") }),
  z.strictObject({ kind: z.literal("truncated") }),
  z.strictObject({ kind: z.literal("reset") }),
  z.strictObject({ kind: z.literal("slow"), seconds: z.number().min(0).max(120) }),
]);

/** What `PUT /_sandbox/faults` takes: the faults in force instead of all earlier ones. */
export const OrderedFaults = z.strictObject({
  faults: z
    .array(
      z.strictObject({
        /** A bill of lading, or `*` for every question. */
        number: z.string().min(1).max(35),
        fault: FaultSchema,
      }),
    )
    .max(100),
});
export type OrderedFaults = z.output<typeof OrderedFaults>;

/** Decides how a question fails: by order first, else by the number's own scenario. Orders end with the process. */
export class FaultBoard {
  #ordered: OrderedFaults["faults"] = [];
  readonly #requestCounts = new Map<string, number>();

  get ordered(): OrderedFaults["faults"] {
    return this.#ordered;
  }

  order(faults: OrderedFaults["faults"]): void {
    this.#ordered = faults;
  }

  /** To be called once for each question about events. `voyage` is null when it names no shipment. */
  next(voyage: Voyage | null, now: number): Fault | null {
    const number = voyage?.shipment.billOfLading ?? null;
    const ordered = this.#ordered.find((each) => each.number === "*" || each.number.toUpperCase() === number);
    if (!voyage || number === null || !voyage.scenario.faults) return ordered?.fault ?? null;
    const requestCount = (this.#requestCounts.get(number) ?? 0) + 1;
    this.#requestCounts.set(number, requestCount);
    const sinceBookingMs = now - voyage.shipment.bookedAt;
    return ordered?.fault ?? voyage.scenario.faults({ requestCount, sinceBookingMs });
  }
}
