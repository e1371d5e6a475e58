import type { CarrierResource } from "@svc/sdk";
import type { Caller } from "../../api/caller.ts";

/** Owner of the connection to a carrier: this account, the service, or none, so that its numbers get no response. */
export type CarrierConnection = "account" | "service" | "none";

/** Returns the connection of each shipping line, by SCAC. */
export async function carrierConnections({ client }: Caller): Promise<ReadonlyMap<string, CarrierConnection>> {
  const [{ data: lines }, { data: own }, { data: catalogue }] = await Promise.all([
    client.shippingLines.list(),
    client.carrierConnections.list({ pageSize: 100 }),
    client.carriers.list(),
  ]);
  // Brands of a group share the connection of the account.
  const groups = new Map(
    catalogue.flatMap(({ id, attributes }) => attributes.alternative_scacs.map((brand) => [brand, id] as const)),
  );
  const usable = own.filter(({ attributes }) => attributes.active && attributes.status !== "not_offered");
  const accountScacs = new Set(usable.map(({ attributes }) => attributes.scac));
  return new Map(
    lines.map(({ attributes: { scac, service_connected } }) => {
      const otherConnection = service_connected ? "service" : "none";
      return [scac, accountScacs.has(groups.get(scac) ?? scac) ? "account" : otherConnection];
    }),
  );
}

/** SCACs of the shipping lines from which no data arrives. */
export async function unconnectedCarriers(caller: Caller): Promise<ReadonlySet<string>> {
  const connections = await carrierConnections(caller);
  return new Set([...connections].flatMap(([scac, connection]) => (connection === "none" ? scac : [])));
}

export const howToConnect = (scac: string): string =>
  `${scac} is not connected, so no data will arrive. Connect it on the Carriers page of the web application, or ask the operator.`;

/** Returns what a user has to do so that data of the carrier arrives; undefined: nothing. */
export function nextStep({ attributes: carrier }: CarrierResource): string | undefined {
  const { name, connection, connection_status: status, has_address: hasAddress } = carrier;
  const where = "on the Carriers page";
  if (status === "rejected") return `${name} rejects the stored credentials: correct and test them ${where}.`;
  if (status === "failing") return `${name} gives no usable response: test the connection ${where}.`;
  if (status === "inactive") return `The connection is inactive: activate it ${where}.`;
  if (connection !== "none") return undefined;
  if (!hasAddress) return `${name} gives each customer an address: the operator configures it, then connect ${where}.`;
  const labels = carrier.credential_choices.map(({ label, fields }, _index, { length }) => {
    const fieldLabels = fields.filter(({ same_as: sameAs }) => sameAs === null).map((field) => field.label);
    return `${fieldLabels.join(" and ")}${length > 1 ? ` (${label})` : ""}`;
  });
  return `Connect ${where} with ${labels.join(", or ")}.`;
}
