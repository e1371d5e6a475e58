import type { Caller } from "../api/caller.ts";

/** Who connected a carrier: this account, the whole service, or no one, so that its numbers get no response. */
export type CarrierConnection = "account" | "service" | "none";

/** By SCAC, of all shipping lines. */
export async function carrierConnections({ client }: Caller): Promise<ReadonlyMap<string, CarrierConnection>> {
  const [{ data: lines }, { data: own }] = await Promise.all([
    client.shippingLines.list(),
    client.carrierConnections.list({ pageSize: 100 }),
  ]);
  const usable = own.filter(({ attributes }) => attributes.active && attributes.status !== "not_offered");
  const ofAccount = new Set(usable.map(({ attributes }) => attributes.scac));
  return new Map(
    lines.map(({ attributes: { scac, service_connected } }) => [
      scac,
      ofAccount.has(scac) ? "account" : service_connected ? "service" : "none",
    ]),
  );
}

export const howToConnect = (scac: string): string =>
  `${scac} is not connected, so no data will arrive. Add credentials under Carrier connections in the dashboard, or ask the operator.`;
