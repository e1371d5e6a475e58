import type { MetroArea, Port, Terminal, Vessel } from "@svc/domain/reference-data";
import type { Place } from "@svc/domain/shipments";

/** Ids of the examples: the same in every example, and of the form of real ones. */
export const exampleId = (number: number): string => `01980000-0000-7000-8000-${String(number).padStart(12, "0")}`;

const port = (number: number, rest: Pick<Port, "locode" | "name" | "countryCode" | "timeZone">): Port => ({
  id: exampleId(number),
  city: rest.name,
  stateAbbr: null,
  latitude: null,
  longitude: null,
  terminalIds: [],
  ...rest,
});

/** Where the voyage of the examples calls, from a river port in China to an inland terminal in the United States. */
export const examplePorts = {
  nanjing: port(10, { locode: "CNNJG", name: "Nanjing", countryCode: "CN", timeZone: "Asia/Shanghai" }),
  shanghai: port(11, { locode: "CNSHA", name: "Shanghai", countryCode: "CN", timeZone: "Asia/Shanghai" }),
  busan: port(12, { locode: "KRPUS", name: "Busan", countryCode: "KR", timeZone: "Asia/Seoul" }),
  losAngeles: {
    ...port(13, { locode: "USLAX", name: "Los Angeles", countryCode: "US", timeZone: "America/Los_Angeles" }),
    stateAbbr: "CA",
    latitude: 33.74,
    longitude: -118.26,
    terminalIds: [exampleId(20)],
  },
} as const satisfies Record<string, Port>;

export const exampleMetroArea: MetroArea = {
  id: exampleId(14),
  locode: "USCHI",
  name: "Chicago",
  stateAbbr: "IL",
  countryCode: "US",
  timeZone: "America/Chicago",
  latitude: 41.88,
  longitude: -87.63,
};

export const exampleTerminals = {
  port: {
    id: exampleId(20),
    kind: "terminal",
    portId: examplePorts.losAngeles.id,
    metroAreaId: null,
    name: "Example Container Terminal",
    nickname: "Example",
    firmsCode: "Z999",
    smdgCode: null,
    bicFacilityCode: null,
    street: "1 Example Way",
    city: "San Pedro",
    state: "California",
    stateAbbr: "CA",
    zip: "90731",
    country: "United States",
  },
  rail: {
    id: exampleId(21),
    kind: "rail_terminal",
    portId: null,
    metroAreaId: exampleMetroArea.id,
    name: "Example Intermodal Ramp",
    nickname: "Ramp",
    firmsCode: null,
    smdgCode: null,
    bicFacilityCode: null,
    street: null,
    city: "Chicago",
    state: "Illinois",
    stateAbbr: "IL",
    zip: null,
    country: "United States",
  },
} as const satisfies Record<string, Terminal>;

/** The terminal that was named before it became the one at the port of discharge. */
export const formerTerminalId = exampleId(22);

export const exampleVessels = {
  barge: { id: exampleId(30), name: "SANDBOX RIVER", imo: null, mmsi: "412000001" },
  feeder: { id: exampleId(31), name: "SANDBOX BREEZE", imo: "9500003", mmsi: "440000001" },
  mother: { id: exampleId(32), name: "SANDBOX HORIZON", imo: "9500015", mmsi: "477000001" },
} as const satisfies Record<string, Vessel>;

export const portPlace = ({ id, locode, name, timeZone }: Port): Place => ({
  id,
  kind: "port",
  locode,
  name,
  timeZone,
});
export const metroAreaPlace = ({ id, locode, name, timeZone }: MetroArea): Place => ({
  id,
  kind: "metro_area",
  locode,
  name,
  timeZone,
});
