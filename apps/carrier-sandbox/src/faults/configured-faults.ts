import { z } from "zod";
import type { Voyage } from "../sandbox-carrier.ts";
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

/** The body of `PUT /_sandbox/faults`; it replaces all earlier faults. */
export const ConfiguredFaults = z.strictObject({
  faults: z
    .array(
      z.strictObject({
        /** A bill of lading, or `*` for every request. */
        number: z.string().min(1).max(35),
        fault: FaultSchema,
      }),
    )
    .max(100),
});
export type ConfiguredFaults = z.output<typeof ConfiguredFaults>;

/**
 * Selects the fault of a request: a configured one first, otherwise that of the shipment's scenario. Configured faults
 * are kept until the process ends.
 */
export class FaultSelector {
  #configured: ConfiguredFaults["faults"] = [];
  readonly #requestCounts = new Map<string, number>();

  get configured(): ConfiguredFaults["faults"] {
    return this.#configured;
  }

  configure(faults: ConfiguredFaults["faults"]): void {
    this.#configured = faults;
  }

  /** Returns the fault for a request for events; called once for each. `voyage`: null if it refers to no shipment. */
  next(voyage: Voyage | null, now: number): Fault | null {
    const number = voyage?.shipment.billOfLading ?? null;
    const configured = this.#configured.find((each) => each.number === "*" || each.number.toUpperCase() === number);
    if (!voyage || number === null || !voyage.scenario.faults) return configured?.fault ?? null;
    const requestCount = (this.#requestCounts.get(number) ?? 0) + 1;
    this.#requestCounts.set(number, requestCount);
    const sinceBookingMs = now - voyage.shipment.bookedAt;
    return configured?.fault ?? voyage.scenario.faults({ requestCount, sinceBookingMs });
  }
}
