import type { Client } from "@svc/sdk";
import { orNull } from "../http/or-null.ts";

/** A carrier as menus offer it. */
export interface CarrierChoice {
  readonly scac: string;
  readonly name: string;
  readonly shortName: string;
}

/** The carriers that a number can be tracked with. */
export interface CarrierMenu {
  readonly lines: readonly CarrierChoice[];
  /** SCACs of carriers that neither the account nor the operator has connected. */
  readonly unconnected: ReadonlySet<string>;
}

async function readMenu(api: Client): Promise<CarrierMenu> {
  const [lines, connections] = await Promise.all([
    api.shippingLines.list({}, { format: "mapped" }),
    api.carrierConnections.list({ pageSize: 100 }),
  ]);
  const own = new Set(connections.data.map(({ attributes }) => attributes.scac));
  const unconnected = lines.items.filter(({ scac, serviceConnected }) => !serviceConnected && !own.has(scac));
  return { lines: lines.items, unconnected: new Set(unconnected.map(({ scac }) => scac)) };
}

/** A form is shown, with what was typed, even when the API is not available. */
export const readCarrierMenu = async (api: Client): Promise<CarrierMenu> =>
  (await orNull(readMenu(api))) ?? { lines: [], unconnected: new Set() };
