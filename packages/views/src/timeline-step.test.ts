import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { legStarts, type TimelineStep, voyageText } from "./timeline-step.ts";

const step = (event: string, voyage: string | null): TimelineStep => ({
  event,
  place: "Singapore",
  terminal: null,
  voyage,
  timeZone: null,
  actualAt: instant("2026-06-02T04:00:00Z"),
  precision: "exact",
  estimatedAt: null,
  plannedAt: null,
  dataSource: "shipping_line",
});

const journey = [
  step("vessel_loaded", "EVER GIVEN"),
  step("vessel_departed", "EVER GIVEN"),
  step("transshipment_arrived", "EVER GIVEN"),
  step("transshipment_discharged", null),
  step("transshipment_loaded", "EVER GREEN"),
  step("transshipment_departed", "EVER GREEN"),
  step("vessel_arrived", "EVER GREEN"),
];
const startsOf = (isHidden?: (step: TimelineStep) => boolean) =>
  [...legStarts(journey, isHidden)].map(({ event }) => event);

test("a vessel is named once on each leg", () => {
  expect(startsOf()).toEqual(["vessel_loaded", "transshipment_loaded"]);
});

test("a vessel that only collapsed steps name is named again", () => {
  expect(startsOf(({ event }) => event.startsWith("transshipment"))).toEqual([
    "vessel_loaded",
    "transshipment_loaded",
    "vessel_arrived",
  ]);
});

test("shows vessel and voyage as text, or nothing", () => {
  expect(voyageText("EVER GIVEN", "034E")).toBe("EVER GIVEN, voyage 034E");
  expect([voyageText(null, "034E"), voyageText(null, undefined)]).toEqual(["voyage 034E", null]);
});
