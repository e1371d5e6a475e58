import type { Terminal } from "@svc/domain";
import { z } from "zod";
import { linkage, resourceObject, toOneOrNull } from "../resource.ts";

const shared = { name: z.string(), nickname: z.string().nullable(), firms_code: z.string().nullable() };

/** A facility of a port (reference-contract.md 2.7). */
export const TerminalResource = resourceObject(
  "terminal",
  { ...shared, smdg_code: z.string().nullable(), bic_facility_code: z.string().nullable() },
  { port: toOneOrNull("port") },
).meta({ id: "Terminal" });

export const RailTerminalResource = resourceObject("rail_terminal", shared, {
  port: toOneOrNull("port"),
  metro_area: toOneOrNull("metro_area"),
}).meta({ id: "RailTerminal" });

export type TerminalResource = z.infer<typeof TerminalResource>;
export type RailTerminalResource = z.infer<typeof RailTerminalResource>;

/** A terminal or a rail terminal, by its kind. */
export function terminalResource(terminal: Terminal, baseUrl: string): TerminalResource | RailTerminalResource {
  const { id, name, nickname, firmsCode } = terminal;
  const attributes = { name, nickname, firms_code: firmsCode };
  const links = { self: `${baseUrl}/terminals/${id}` };
  const port = linkage("port", terminal.portId);
  if (terminal.kind === "rail_terminal") {
    const relationships = { port, metro_area: linkage("metro_area", terminal.metroAreaId) };
    return { id, type: "rail_terminal", attributes, relationships, links };
  }
  return {
    id,
    type: "terminal",
    attributes: { ...attributes, smdg_code: terminal.smdgCode, bic_facility_code: terminal.bicFacilityCode },
    relationships: { port },
    links,
  };
}
