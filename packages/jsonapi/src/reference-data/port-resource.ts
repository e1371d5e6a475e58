import { type Port, portFields } from "@svc/domain/reference-data";
import type { z } from "zod";
import { attribute, omitted, wireAttributes } from "../records/wire-attributes.ts";
import { resourceObject, toMany } from "../resource.ts";

const attributes = wireAttributes(portFields, {
  id: omitted,
  locode: { code: attribute(portFields.locode, ({ locode }) => locode) },
  terminalIds: omitted,
});

/** docs/contract/reference.md 2.7. */
export const PortResource = resourceObject("port", attributes.shape, {
  terminals: toMany("terminal").describe("Terminals of the port, also for rail. At most 100."),
}).meta({ id: "Port" });

export type PortResource = z.infer<typeof PortResource>;

export function portResource(port: Port, baseUrl: string): PortResource {
  return {
    id: port.id,
    type: "port",
    attributes: attributes.of(port),
    relationships: { terminals: { data: port.terminalIds.map((id) => ({ type: "terminal", id })) } },
    links: { self: `${baseUrl}/ports/${port.id}` },
  };
}
