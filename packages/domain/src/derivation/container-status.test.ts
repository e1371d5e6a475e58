import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, dayMs, instant } from "../instant.ts";
import { type TransportEventName, transportEventNames } from "../transport-events/transport-event.ts";
import { containerStatus, type StatusFacts } from "./container-status.ts";

type Event = StatusFacts["events"][number];

/** Events on consecutive days, in the given order. */
function eventSequence(...names: readonly string[]): readonly Event[] {
  return names.map((milestoneKey, index) => ({
    event: milestoneKey.split(":")[0] as TransportEventName,
    milestoneKey,
    occurredAt: addMs(instant("2026-01-01T00:00:00Z"), index * dayMs),
  }));
}

const status = (events: readonly Event[], hasInlandDestination = false, isAvailableForPickup: boolean | null = null) =>
  containerStatus({ events, hasInlandDestination, isAvailableForPickup });

const voyage = ["empty_out", "full_in", "vessel_loaded", "vessel_departed"] as const;
const landed = [...voyage, "vessel_arrived", "vessel_discharged"] as const;
const railed = [...landed, "rail_loaded:USLGB", "rail_departed:USLGB", "rail_arrived:USCHI"] as const;

describe("current_status (docs/contract/reference.md 5.2)", () => {
  test.each([
    ["new", [], false],
    ["new", ["empty_out", "full_in"], false],
    ["new", ["feeder_loaded:BEANR", "feeder_departed:BEANR"], false],
    ["on_ship", voyage, false],
    ["on_ship", [...voyage, "transshipment_arrived:SGSIN", "transshipment_discharged:SGSIN"], false],
    ["on_ship", [...voyage, "vessel_arrived"], true],
    ["on_ship", ["transshipment_discharged:SGSIN"], false],
    ["grounded", landed, false],
    ["awaiting_inland_transfer", landed, true],
    ["on_rail", [...landed, "rail_loaded:USLGB"], true],
    ["on_rail", railed, true],
    ["grounded", [...railed, "arrived_at_inland_destination", "rail_unloaded:USCHI"], true],
    ["on_rail", [...railed, "rail_unloaded:USCHI", "rail_loaded:USCHI"], true],
    ["grounded", [...landed, "feeder_loaded:NLRTM", "arrived_at_inland_destination"], true],
    ["picked_up", [...landed, "full_out:pod"], false],
    ["picked_up", [...landed, "full_out:pod"], true],
    ["on_rail", [...landed, "full_out:pod", "rail_loaded:USLAX"], true],
    ["picked_up", [...railed, "rail_unloaded:USCHI", "full_out:destination"], true],
    ["empty_returned", [...landed, "full_out:pod", "empty_in"], false],
    ["delivered", [...landed, "full_out:pod", "delivered"], false],
  ] as const)("%s after %j (inland: %s)", (expected, events, hasInlandDestination) => {
    expect(status(eventSequence(...events), hasInlandDestination)).toBe(expected);
  });

  test("the terminal's availability takes precedence over the place", () => {
    expect(status(eventSequence(...landed), false, true)).toBe("available");
    expect(status(eventSequence(...landed), true, false)).toBe("not_available");
    expect(status(eventSequence(...voyage), false, true)).toBe("available");
    expect(status(eventSequence(...landed, "full_out:pod"), false, true)).toBe("picked_up");
  });

  test("an earlier milestone that arrives late does not move the status back", () => {
    const complete = eventSequence(...railed, "rail_unloaded:USCHI");
    for (const late of complete.slice(0, -1)) {
      const without = complete.filter((event) => event !== late);
      expect(status([...without, late], true)).toBe("grounded");
    }
  });

  const anyEvent = fc.record({
    event: fc.constantFrom(...transportEventNames),
    milestoneKey: fc.constantFrom("a", "full_out:pod", "full_out:destination", "b"),
    occurredAt: fc.integer({ min: 0, max: 5 }).map((days) => addMs(instant("2026-01-01T00:00:00Z"), days * dayMs)),
  });
  const anyEvents = fc.array(anyEvent, { maxLength: 12 });

  test("does not depend on order and repetition", () => {
    fc.assert(
      fc.property(anyEvents, fc.boolean(), (events, isInland) => {
        expect(status(events.toReversed(), isInland)).toBe(status(events, isInland));
        expect(status([...events, ...events], isInland)).toBe(status(events, isInland));
      }),
    );
  });
});
