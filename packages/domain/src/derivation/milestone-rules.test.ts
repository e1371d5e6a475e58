import { describe, expect, test } from "@jest/globals";
import type { Observation } from "../observations/observation.ts";
import { deriveShipment } from "./derive-shipment.ts";
import { fact, testPlaces } from "./testing/voyage.ts";
import { mainContainer } from "./testing/voyages.ts";

const at = { container: mainContainer };

/** Shanghai to Rotterdam, planned; `sailed` adds the departure, `landed` the discharge. */
const planned = [
  fact("PLN DEPA", { at: "CNSHA", day: 0 }),
  fact("PLN ARRI", { at: "NLRTM", day: 30 }),
  fact("PLN LOAD", { at: "CNSHA", day: -0.5, ...at }),
];
const sailed = [
  ...planned,
  fact("ACT LOAD", { at: "CNSHA", day: -0.5, ...at }),
  fact("ACT DEPA", { at: "CNSHA", day: 0 }),
];
const arrived = [...sailed, fact("ACT ARRI", { at: "NLRTM", day: 30 })];
const landed = [...arrived, fact("ACT DISC", { at: "NLRTM", day: 30.5, ...at })];
/** The vessel calls at Singapore, where the container changes to vessel B. */
const viaSingapore = [
  ...sailed,
  fact("PLN ARRI", { at: "SGSIN", day: 8 }),
  fact("PLN DEPA", { at: "SGSIN", day: 12, vessel: "B" }),
  fact("PLN ARRI", { at: "NLRTM", day: 30, vessel: "B" }),
];
const bargeToDuisburg = [...landed, fact("PLN ARRI", { at: "DEDUI", day: 33, mode: "BARGE" })];
const railToChicago = [...landed, fact("PLN ARRI", { at: "USCHI", day: 36, mode: "RAIL" })];

/** The milestones and container attributes that the last event changes. */
function added(known: readonly Observation[], ...event: readonly Observation[]): readonly string[] {
  const before = new Set(keys(known));
  return keys([...known, ...event]).filter((key) => !before.has(key));
}

function keys(observations: readonly Observation[]): readonly string[] {
  const { containers } = deriveShipment(observations, testPlaces);
  return containers.flatMap(({ events }) => events.map(({ milestoneKey }) => milestoneKey));
}

function container(observations: readonly Observation[]) {
  const [first] = deriveShipment(observations, testPlaces).containers;
  if (first === undefined) throw new Error("No container");
  return Object.fromEntries(Object.entries(first.attributes).map(([name, derived]) => [name, derived?.value]));
}

const shipment = (observations: readonly Observation[]) => deriveShipment(observations, testPlaces).attributes;

describe("mapping table: events that are milestones", () => {
  test.each<[string, readonly Observation[], Observation, readonly string[]]>([
    ["E1 GTOT empty", planned, fact("ACT GTOT", { at: "CNSHA", day: -6, empty: true, ...at }), ["empty_out"]],
    ["E1 PICK empty", planned, fact("ACT PICK", { at: "CNSHA", day: -6, empty: true, ...at }), ["empty_out"]],
    ["E3 GTIN full", planned, fact("ACT GTIN", { at: "CNSHA", day: -2, empty: false, ...at }), ["full_in"]],
    ["E4 LOAD", planned, fact("ACT LOAD", { at: "CNSHA", day: -0.5, ...at }), ["vessel_loaded"]],
    ["E5 DEPA", planned, fact("ACT DEPA", { at: "CNSHA", day: 0 }), ["vessel_departed"]],
    ["E7 ARRI", viaSingapore, fact("ACT ARRI", { at: "SGSIN", day: 8 }), ["transshipment_arrived:SGSIN"]],
    ["E8 DISC", viaSingapore, fact("ACT DISC", { at: "SGSIN", day: 8.5, ...at }), ["transshipment_discharged:SGSIN"]],
    [
      "E9 LOAD",
      viaSingapore,
      fact("ACT LOAD", { at: "SGSIN", day: 11, vessel: "B", ...at }),
      ["transshipment_loaded:SGSIN"],
    ],
    [
      "E10 DEPA",
      viaSingapore,
      fact("ACT DEPA", { at: "SGSIN", day: 12, vessel: "B" }),
      ["transshipment_departed:SGSIN"],
    ],
    ["E11 LOAD", landed, fact("ACT LOAD", { at: "NLRTM", day: 32, mode: "BARGE", ...at }), ["feeder_loaded:NLRTM"]],
    ["E11 DEPA", landed, fact("ACT DEPA", { at: "NLRTM", day: 32, mode: "BARGE" }), ["feeder_departed:NLRTM"]],
    [
      "E11 DISC",
      bargeToDuisburg,
      fact("ACT DISC", { at: "DEDUI", day: 33, mode: "BARGE", ...at }),
      ["feeder_discharged:DEDUI"],
    ],
    ["E13 ARRI", sailed, fact("ACT ARRI", { at: "NLRTM", day: 30 }), ["vessel_arrived"]],
    ["E15 DISC", arrived, fact("ACT DISC", { at: "NLRTM", day: 30.5, ...at }), ["vessel_discharged"]],
    ["E16 LOAD", railToChicago, fact("ACT LOAD", { at: "NLRTM", day: 32, mode: "RAIL", ...at }), ["rail_loaded:NLRTM"]],
    [
      "E16 GTOT full on rail",
      railToChicago,
      fact("ACT GTOT", { at: "NLRTM", day: 32, mode: "RAIL", empty: false, ...at }),
      ["rail_loaded:NLRTM"],
    ],
    ["E17 DEPA", railToChicago, fact("ACT DEPA", { at: "NLRTM", day: 33, mode: "RAIL" }), ["rail_departed:NLRTM"]],
    [
      "E20 DISC",
      railToChicago,
      fact("ACT DISC", { at: "USCHI", day: 36, mode: "RAIL", ...at }),
      ["rail_unloaded:USCHI"],
    ],
    [
      "E21 GTOT full",
      landed,
      fact("ACT GTOT", { at: "NLRTM", day: 33, mode: "TRUCK", empty: false, ...at }),
      ["full_out:pod"],
    ],
    [
      "E21 GTOT full without mode",
      landed,
      fact("ACT GTOT", { at: "NLRTM", day: 33, empty: false, ...at }),
      ["full_out:pod"],
    ],
    ["E21 PICK full", landed, fact("ACT PICK", { at: "NLRTM", day: 33, empty: false, ...at }), ["full_out:pod"]],
    [
      "E22 GTOT full inland",
      railToChicago,
      fact("ACT GTOT", { at: "USCHI", day: 38, mode: "TRUCK", empty: false, ...at }),
      ["full_out:destination"],
    ],
    ["E25 GTIN empty", landed, fact("ACT GTIN", { at: "NLRTM", day: 40, empty: true, ...at }), ["empty_in"]],
    ["E25 DROP empty", landed, fact("ACT DROP", { at: "DEDUI", day: 40, empty: true, ...at }), ["empty_in"]],
  ])("%s", (_row, known, event, expected) => expect(added(known, event)).toEqual(expected));

  test("E11 ARRI, and E19 where the barge reaches the destination", () => {
    expect(added(bargeToDuisburg, fact("ACT ARRI", { at: "DEDUI", day: 33, mode: "BARGE" }))).toEqual([
      "feeder_arrived:DEDUI",
      "arrived_at_inland_destination",
    ]);
  });
  test("E19 ARRI", () => {
    const event = fact("ACT ARRI", { at: "USCHI", day: 36, mode: "RAIL" });
    expect(added(railToChicago, event)).toEqual(["rail_arrived:USCHI", "arrived_at_inland_destination"]);
  });
  test("E19 GTIN full at a ramp, when no arrival is reported", () => {
    const event = fact("ACT GTIN", { at: "USCHI", day: 36, empty: false, facilityType: "RAMP", ...at });
    expect(added(landed, event)).toEqual(["rail_arrived:USCHI", "arrived_at_inland_destination"]);
    const arrival = fact("ACT ARRI", { at: "USCHI", day: 35.5, mode: "RAIL" });
    expect(added([...landed, arrival], event)).toEqual([]);
  });
});

describe("mapping table: events that are not milestones", () => {
  test.each<[string, readonly Observation[], Observation]>([
    ["E1 an empty gate-out after the voyage", landed, fact("ACT GTOT", { at: "NLRTM", day: 45, empty: true, ...at })],
    ["E2 stuffing", planned, fact("ACT STUF", { at: "CNSHA", day: -4, empty: false, ...at })],
    [
      "E3 a full gate-in by rail at an inland terminal",
      planned,
      fact("ACT GTIN", { at: "CNSHA", day: -3, mode: "RAIL", facilityType: "INTE", empty: false, ...at }),
    ],
    ["E3 a full gate-in after the voyage", landed, fact("ACT GTIN", { at: "NLRTM", day: 33, empty: false, ...at })],
    ["E4 a planned loading", planned, fact("EST LOAD", { at: "CNSHA", day: -0.4, ...at })],
    ["E5 the vessel's departure from the port of discharge", landed, fact("ACT DEPA", { at: "NLRTM", day: 31 })],
    ["E7 a port where the container stays on board", sailed, fact("ACT ARRI", { at: "SGSIN", day: 8 })],
    ["E16 a train before the voyage", sailed, fact("ACT LOAD", { at: "CNCKG", day: -9, mode: "RAIL", ...at })],
    ["E17 a train before the voyage", sailed, fact("ACT DEPA", { at: "CNCKG", day: -8, mode: "RAIL" })],
    ["E20 a train before the voyage", sailed, fact("ACT DISC", { at: "CNSHA", day: -4, mode: "RAIL", ...at })],
    ["E21 a gate-out before the discharge", landed, fact("ACT GTOT", { at: "NLRTM", day: 30, empty: false, ...at })],
    ["E21 a gate-out at another place", landed, fact("ACT GTOT", { at: "BEANR", day: 33, empty: false, ...at })],
    [
      "E23 a delivery, which only users report",
      landed,
      fact("ACT DROP", { at: "NLRTM", day: 34, empty: false, facilityType: "CLOC", ...at }),
    ],
    ["E24 stripping", landed, fact("ACT STRP", { at: "NLRTM", day: 34, ...at })],
    ["E25 an empty gate-in before the voyage", planned, fact("ACT GTIN", { at: "CNSHA", day: -7, empty: true, ...at })],
    ["E40 a truck", landed, fact("ACT DEPA", { at: "NLRTM", day: 33, mode: "TRUCK" })],
    ["E40 an unknown code", landed, fact("ACT XYZZ", { at: "NLRTM", day: 33, ...at })],
  ])("%s", (_row, known, event) => expect(added(known, event)).toEqual([]));
});

describe("mapping table: estimates", () => {
  test("E6 departure at the port of lading: EST before PLN, newest source event, kept after the departure", () => {
    const revised = [
      ...planned,
      fact("EST DEPA", { at: "CNSHA", day: 1, reported: -3 }),
      fact("EST DEPA", { at: "CNSHA", day: 2, reported: -2 }),
    ];
    const newerPlan = fact("PLN DEPA", { at: "CNSHA", day: 5, reported: -1 });
    for (const observations of [
      revised,
      [...revised, newerPlan],
      [...revised, fact("ACT DEPA", { at: "CNSHA", day: 2.5 })],
    ]) {
      expect(shipment(observations).polEtdAt?.value).toBe("2026-01-03T00:00:00.000Z");
    }
  });
  test("E12 arrival at the port of discharge, of a vessel only", () => {
    const observations = [...sailed, fact("EST ARRI", { at: "NLRTM", day: 31, reported: 3 })];
    expect(shipment(observations).podEtaAt?.value).toBe("2026-02-01T00:00:00.000Z");
    expect(
      shipment([...observations, fact("EST ARRI", { at: "NLRTM", day: 44, reported: 4, mode: "RAIL" })]).podEtaAt
        ?.value,
    ).toBe("2026-02-01T00:00:00.000Z");
  });
  test("E18 arrival at the inland destination never touches the port's", () => {
    const observations = [...railToChicago, fact("EST ARRI", { at: "USCHI", day: 37, reported: 33, mode: "RAIL" })];
    expect(shipment(observations)).toMatchObject({
      podEtaAt: { value: "2026-01-31T00:00:00.000Z" },
      destinationEtaAt: { value: "2026-02-07T00:00:00.000Z", rule: "E18 estimated.arrived_at_inland_destination" },
      destinationOriginalEtaAt: { value: "2026-02-06T00:00:00.000Z" },
    });
    expect(container(observations).indEtaAt).toBe("2026-02-07T00:00:00.000Z");
  });
});

describe("mapping table: attributes", () => {
  test("E15 without an arrival the discharge implies it, but no arrival milestone", () => {
    const observations = [...sailed, fact("ACT DISC", { at: "NLRTM", day: 30.5, ...at })];
    expect(shipment(observations).podAtaAt).toMatchObject({
      value: "2026-01-31T12:00:00.000Z",
      rule: "E15 implied_by_discharge",
    });
    expect(keys(observations)).not.toContain("vessel_arrived");
    expect(container(observations).podArrivedAt).toBeUndefined();
  });
  test("E21 the first gate-out counts, not the return from an inspection", () => {
    const outs = [33, 35].map((day) => fact("ACT GTOT", { at: "NLRTM", day, empty: false, ...at }));
    expect(container([...landed, ...outs]).podFullOutAt).toBe("2026-02-03T00:00:00.000Z");
  });
  test("E16 several gate-outs on a train at one place are one milestone, at the time of the first", () => {
    const outs = [32, 33].map((day) => fact("ACT GTOT", { at: "NLRTM", day, mode: "RAIL", empty: false, ...at }));
    expect(added(railToChicago, ...outs)).toEqual(["rail_loaded:NLRTM"]);
    expect(container([...railToChicago, ...outs]).podRailLoadedAt).toBe("2026-02-02T00:00:00.000Z");
  });
  test("E1 GTOT and PICK within twelve hours are one move, at the time of GTOT", () => {
    const observations = [
      fact("ACT PICK", { at: "CNSHA", day: -6.2, empty: true, ...at }),
      fact("ACT GTOT", { at: "CNSHA", day: -6, empty: true, ...at }),
      fact("ACT PICK", { at: "CNSHA", day: -5.9, empty: true, ...at }),
    ];
    expect(container([...planned, ...observations]).emptyOutAt).toBe("2025-12-26T00:00:00.000Z");
  });
  test.each<[string, number, string]>([
    ["on its day is the same move, whose time the terminal gives", 15 / 24, "2026-02-03T15:00:00.000Z"],
    ["on the day before is another move", 1 + 1 / 24, "2026-02-03T00:00:00.000Z"],
  ])("E21 a gate-out that the carrier reports as a date %s", (_what, days, expected) => {
    const outs = [
      fact("ACT GTOT", { at: "NLRTM", day: 33, dateOnly: true, empty: false, reported: 40, ...at }),
      fact("ACT GTOT", { at: "NLRTM", day: 33 + days, empty: false, dataSource: "terminal", ...at }),
    ];
    expect(container([...landed, ...outs]).podFullOutAt).toBe(expected);
  });
  test("E1 gate-outs shortly before and after midnight stay one move beside a date of the second day", () => {
    const outs = [
      fact("ACT GTOT", { at: "CNSHA", day: -6 - 1 / 24, empty: true, dataSource: "terminal", ...at }),
      fact("ACT GTOT", { at: "CNSHA", day: -6, dateOnly: true, empty: true, ...at }),
      fact("ACT GTOT", { at: "CNSHA", day: -6 + 2 / 24, empty: true, ...at }),
    ];
    expect(container([...planned, ...outs]).emptyOutAt).toBe("2025-12-25T23:00:00.000Z");
  });
  test("E1, E3 a gate move on the day of a loading that is reported as a date is before it; the next day is not", () => {
    const loaded = [...planned, fact("ACT LOAD", { at: "CNSHA", day: -1, dateOnly: true, ...at })];
    const moves = (days: number) => [
      fact("ACT GTOT", { at: "CNSHA", day: days + 1 / 24, empty: true, ...at }),
      fact("ACT GTIN", { at: "CNSHA", day: days + 10 / 24, empty: false, ...at }),
    ];
    expect(added(loaded, ...moves(-1))).toEqual(["empty_out", "full_in"]);
    expect(added(loaded, ...moves(0))).toEqual([]);
  });
  test("E25 before the discharge is known an empty return is after the day of the loading", () => {
    const loaded = [fact("ACT LOAD", { at: "CNSHA", day: -1, dateOnly: true, ...at })];
    const returned = (days: number) => fact("ACT GTIN", { at: "CNSHA", day: days, empty: true, ...at });
    expect(added(loaded, returned(-0.5))).toEqual([]);
    expect(added(loaded, returned(0))).toEqual(["empty_in"]);
  });
  test("E25 the empty return comes after the full gate-out", () => {
    const observations = [
      fact("ACT GTOT", { at: "NLRTM", day: 33, empty: false, ...at }),
      fact("ACT GTIN", { at: "NLRTM", day: 40, empty: true, ...at }),
    ];
    expect(container([...landed, ...observations])).toMatchObject({
      currentStatus: "empty_returned",
      emptyTerminatedAt: "2026-02-10T00:00:00.000Z",
    });
  });
  test("E29 the newest seal, E30 the newest size-type", () => {
    const observations = [
      fact("ACT GTIN", { at: "CNSHA", day: -2, empty: false, seals: ["FIRST"], iso: "22G1", ...at }),
      fact("ACT RSEA", { at: "NLRTM", day: 31, seals: ["SECOND"], iso: "45R1", ...at }),
      fact("ACT RMVD", { at: "NLRTM", day: 32, seals: ["SECOND"], ...at }),
    ];
    expect(container([...landed, ...observations])).toMatchObject({
      sealNumber: "SECOND",
      equipmentType: "reefer",
      equipmentLength: 40,
      equipmentHeight: "high_cube",
    });
  });
  test("E38 the terminal of the actual handling before that of the plan", () => {
    const observations = [
      ...sailed,
      fact("EST ARRI", { at: "NLRTM", day: 30, reported: 40, facilityCode: "ECT" }),
      fact("ACT DISC", { at: "NLRTM", day: 30.5, facilityCode: "RWG", ...at }),
    ];
    expect(shipment(observations).podTerminal?.value.facilityCode).toBe("RWG");
  });
});
