import type { Terminal } from "@svc/domain/reference-data";
import { z } from "zod";
import { linkage, resourceObject, toOneOrNull } from "../resource.ts";

const shared = {
  name: z.string(),
  nickname: z.string().nullable().describe("The short name in use, or the name where there is none."),
  firms_code: z.string().nullable().describe("Code of U.S. Customs and Border Protection."),
};

const address = {
  street: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  state_abbr: z.string().nullable(),
  zip: z.string().nullable(),
  country: z.string().nullable(),
};
const support = {
  facility_type: z.enum(["terminal", "rail_terminal"]).nullable().describe("rail_terminal: an inland rail terminal."),
  provided_data: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("Data that the terminal provides. Null: unknown."),
};

/** A facility of a port, or a rail terminal (docs/contract/reference.md 2.7). */
export const TerminalResource = resourceObject(
  "terminal",
  { ...shared, smdg_code: z.string().nullable(), bic_facility_code: z.string().nullable(), ...address, ...support },
  {
    port: toOneOrNull("port"),
    metro_area: toOneOrNull("metro_area").describe("The inland place of a rail terminal, otherwise null."),
  },
).meta({ id: "Terminal" });

export const RailTerminalResource = resourceObject("rail_terminal", shared, {
  port: toOneOrNull("port"),
  metro_area: toOneOrNull("metro_area"),
}).meta({ id: "RailTerminal" });

export type TerminalResource = z.infer<typeof TerminalResource>;
export type RailTerminalResource = z.infer<typeof RailTerminalResource>;

/** @param type the resource type of its links. A rail terminal is also a terminal, with its own facility type. */
export function terminalResource(
  terminal: Terminal,
  baseUrl: string,
  type: Terminal["kind"] = terminal.kind,
): TerminalResource | RailTerminalResource {
  const { id, name, nickname, firmsCode } = terminal;
  const attributes = { name, nickname: nickname ?? name, firms_code: firmsCode };
  const links = { self: `${baseUrl}/terminals/${id}` };
  const relationships = {
    port: linkage("port", terminal.portId),
    metro_area: linkage("metro_area", terminal.metroAreaId),
  };
  if (type === "rail_terminal") {
    return { id, type: "rail_terminal", attributes, relationships, links };
  }
  return {
    id,
    type: "terminal",
    attributes: {
      ...attributes,
      smdg_code: terminal.smdgCode,
      bic_facility_code: terminal.bicFacilityCode,
      street: terminal.street,
      city: terminal.city,
      state: terminal.state,
      state_abbr: terminal.stateAbbr,
      zip: terminal.zip,
      country: terminal.country,
      facility_type: terminal.kind,
      provided_data: null,
    },
    relationships,
    links,
  };
}
