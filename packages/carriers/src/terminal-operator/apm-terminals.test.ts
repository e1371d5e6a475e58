import { describe, expect, test } from "@jest/globals";
import { CarrierConnectionList } from "../carrier-connection.ts";
import { terminalObservations } from "../terminal/terminal-observation.ts";
import { apmTerminals } from "./apm-terminals.ts";
import { facilityAt } from "./operator-reply.ts";

const [connection] = CarrierConnectionList.parse("[]").filter(({ scac }) => scac === "APMT");
const options = connection?.terminal;
if (options == null) throw new Error("APMT has no facilities.");
const containerNumber = "WFHU5080179";
const queryAt = (place: string) => {
  const facility = facilityAt(options, place);
  if (facility === undefined) throw new Error(`APMT does not serve ${place}.`);
  return { facility, place, containerNumber };
};
const read = (state: object, history?: unknown) =>
  apmTerminals.read(
    [[{ containerId: containerNumber, ...state }], ...(history === undefined ? [] : [history])],
    queryAt("USLAX"),
  );
const draftsOf = (state: object, history?: unknown) => {
  const reading = read(state, history);
  return {
    unmapped: reading?.unmapped,
    drafts: reading?.visit ? terminalObservations({ visits: [reading.visit] }, containerNumber) : [],
  };
};
const pickupsOf = (state: object) => draftsOf(state).drafts.flatMap(({ pickup }) => pickup ?? []);

describe("Import Availability of APM Terminals", () => {
  test("names the facility by its own code, whichever code of the port the shipping line uses", () => {
    expect(apmTerminals.requests(queryAt("USNYC"), options)).toEqual([
      { path: "/import-availability", parameters: { assetId: containerNumber, facilityCode: "USNWK" } },
      { path: "/container-event-history", parameters: { assetId: containerNumber, facilityCode: "USNWK" } },
    ]);
    expect(apmTerminals.requests(queryAt("USEWR"), { ...options, eventHistory: false })).toHaveLength(1);
  });

  test("reads availability, holds, last free day, fees, appointment and yard location without a time since when", () => {
    const { drafts, unmapped } = draftsOf({
      readyForDelivery: "false",
      containerState: "Yard",
      containerHolds: "Customs, Freight Hold",
      storagePaidThroughDate: "2026-03-12",
      demurrageOwed: "$1,250.50",
      appointment: "Yes",
      appointmentDateTimeLocal: "2026-03-11T14:00:00-07:00",
      yardLocation: "A12-03",
    });
    expect(unmapped).toBe(0);
    expect(drafts.map(({ pickup }) => pickup)).toEqual([
      { aspect: "availability", isAvailable: false },
      {
        aspect: "holds",
        holds: [
          { name: "customs", status: "hold", description: "Customs" },
          { name: "freight", status: "hold", description: "Freight Hold" },
        ],
      },
      { aspect: "fees", fees: [{ type: "demurrage", amount: 1250.5, currencyCode: "USD" }] },
      // Midnight in Los Angeles, which has daylight saving time on that day.
      { aspect: "last_free_day", setBy: "terminal", lastFreeDayAt: "2026-03-12T07:00:00.000Z" },
      { aspect: "appointment", appointmentAt: "2026-03-11T21:00:00.000Z" },
      { aspect: "yard_location", yardLocation: "A12-03" },
    ]);
    expect(new Set(drafts.map(({ sinceUnknown, statedAt }) => [sinceUnknown, statedAt].join()))).toEqual(
      new Set(["true,"]),
    );
  });

  test("a time without an offset is local time of the terminal, and marked so", () => {
    const { drafts } = draftsOf({
      dischargeDateTimeLocal: "2026-03-05T20:15:00",
      facilityOutDateTimeLocal: "2026-03-09T08:00:00-07:00",
    });
    expect(drafts).toMatchObject([
      { code: "DISC", eventAt: "2026-03-06T04:15:00.000Z", timePrecision: "local_assumed", localDate: "2026-03-05" },
      { code: "GTOT", eventAt: "2026-03-09T15:00:00.000Z", timePrecision: "exact", isEmpty: false, call: null },
    ]);
  });

  test("empty values mean none, absent ones are not reported", () => {
    expect(pickupsOf({})).toEqual([]);
    expect(pickupsOf({ containerHolds: "", demurrageOwed: "0.00", appointment: "No", yardLocation: "" })).toEqual([
      { aspect: "holds", holds: [] },
      { aspect: "fees", fees: [] },
      { aspect: "appointment", appointmentAt: null },
      { aspect: "yard_location", yardLocation: null },
    ]);
  });

  test.each([
    ["readiness", { readyForDelivery: "PENDING" }, []],
    ["state", { containerState: "On Wheels" }, []],
    ["amount", { demurrageOwed: "see invoice" }, []],
    ["day", { storagePaidThroughDate: "12 March" }, []],
    [
      "hold, which is shown in the terminal's words",
      { containerHolds: ["VACIS EXAM 3"] },
      [{ aspect: "holds", holds: [{ name: "other", status: "hold", description: "VACIS EXAM 3" }] }],
    ],
  ])("an undocumented word is counted and never guessed: %s", (_what, state, pickups) => {
    expect(read(state)?.unmapped).toBe(1);
    expect(pickupsOf(state)).toEqual(pickups);
  });

  test.each([
    ["a list without the container", [[]], { visit: null, unmapped: 0 }],
    ["another container", [[{ containerId: "EGHU9044403" }]], { visit: null, unmapped: 0 }],
    ["an error", [{ message: "no" }], null],
    ["no JSON", [undefined], null],
  ])("%s", (_what, documents, expected) => {
    expect(apmTerminals.read(documents, queryAt("USLAX"))).toEqual(expected);
  });
});

describe("Container Event History of APM Terminals", () => {
  const history = (eventType: string) => [
    {
      containerId: containerNumber,
      eventDetails: [{ performedDateTimeLocal: "2026-03-09T08:00:00-07:00", eventType }],
    },
  ];

  test("adds the means of transport to the gate-out of the state", () => {
    const { drafts, unmapped } = draftsOf(
      { facilityOutDateTimeLocal: "2026-03-09T08:00:00-07:00" },
      history("Unit exited terminal via rail"),
    );
    expect(unmapped).toBe(0);
    expect(drafts).toMatchObject([{ code: "GTOT", call: { mode: "RAIL" } }]);
  });

  test("skips and counts an unreadable history, and uses the availability alone", () => {
    const { drafts, unmapped } = draftsOf({ readyForDelivery: "true" }, { events: [] });
    expect([drafts.map(({ code }) => code), unmapped]).toEqual([["AVAILABILITY"], 1]);
  });

  test.each([
    ["a known event that is not tracked", "Container damage recorded", 0],
    ["an event that the documentation does not name", "UNIT_REROUTE", 1],
  ])("%s changes nothing", (_what, eventType, unmapped) => {
    expect(draftsOf({}, history(eventType))).toEqual({ drafts: [], unmapped });
  });
});

describe("the connection of a terminal operator", () => {
  const refusal = (settings: object) =>
    CarrierConnectionList.safeParse(JSON.stringify([settings])).error?.issues[0]?.message ?? null;

  test("may have the grant type in the token address, and nothing else", () => {
    const tokenUrl = "https://t.example/accesstoken?grant_type=client_credentials";
    expect(refusal({ catalogue: "APMT", tokenUrl })).toBeNull();
    expect(refusal({ catalogue: "APMT", tokenUrl: `${tokenUrl}&client_secret=s3cret` })).toMatch(/^at 0.tokenUrl/);
  });

  test("keeps the facilities of the catalogue when the events are left out", () => {
    const settings = { catalogue: "APMT", ownCredentialsOnly: true, terminal: { eventHistory: false } };
    const [own] = CarrierConnectionList.parse(JSON.stringify([settings]));
    expect(own?.terminal).toEqual({ ...options, eventHistory: false });
  });

  test("needs facilities, which a shipping line must not have", () => {
    const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: "https://l.example" };
    expect(refusal({ ...line, protocol: "apm-terminals-1" })).toMatch(/^at 0.terminal/);
    expect(refusal({ ...line, terminal: options })).toMatch(/^at 0.terminal/);
  });
});
