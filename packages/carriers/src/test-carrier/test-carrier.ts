import type { Carrier, CarrierQuery, CarrierReply } from "../carrier.ts";
import { cancelledBooking, completedVoyage } from "./test-voyages.ts";

/**
 * The outcome of each documented number (docs/contract/reference.md 4), without dashes, because a tracking request's
 * normalized number has none.
 */
const outcomes: Readonly<Record<string, (number: string) => CarrierReply>> = {
  TESTTRSUCCEEDED: (number) => found(number, completedVoyage),
  TESTTRFAILED: (number) => ({ outcome: "rejected", reason: "invalid_number", ...received(number, 422) }),
  TESTTRINVALID: (number) => ({ outcome: "rejected", reason: "invalid_number", ...received(number, 400) }),
  TESTTRAWAITINGMANIFEST: (number) => found(number, []),
  TESTTRBOOKINGCANCELLED: (number) => found(number, cancelledBooking),
  TESTTRUNREACHABLE: () => ({ outcome: "unreachable", detail: "the test line never responds for this number" }),
  TESTTRUNRECOGNIZED: (number) => ({
    outcome: "unrecognized",
    ...received(number, 200, "<html>maintenance</html>"),
    detail: "the body is not a list of events",
  }),
};

function received(number: string, httpStatus: number, text = "[]") {
  return { body: new TextEncoder().encode(text), url: `test:/v2/events?number=${number}`, httpStatus };
}

function found(number: string, drafts: typeof completedVoyage): CarrierReply {
  return { outcome: "found", ...received(number, 200, JSON.stringify(drafts)), drafts, skipped: 0 };
}

/**
 * The carrier with SCAC `TEST`: it responds at once, needs no credentials and gives each documented number the same
 * outcome every time. Every other number, including TEST-TR-NOT-FOUND, is not found.
 */
export const testCarrier: Carrier = {
  scac: "TEST",
  async track(query: CarrierQuery, signal: AbortSignal): Promise<CarrierReply> {
    signal.throwIfAborted();
    const number = query.number.toUpperCase().replace(/[^A-Z0-9]/g, "");
    const outcome = Object.hasOwn(outcomes, number) ? outcomes[number] : undefined;
    return outcome ? outcome(number) : { outcome: "not_found", ...received(number, 404) };
  },
  async close() {},
};
