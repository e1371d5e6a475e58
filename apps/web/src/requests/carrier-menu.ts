import { AuthenticationError, type Client, SvcError } from "@svc/sdk";

/** A carrier as menus offer it. */
export interface CarrierChoice {
  readonly scac: string;
  readonly name: string;
  readonly shortName: string;
}

/** The carriers that a number can be tracked with. */
export interface CarrierMenu {
  readonly lines: readonly CarrierChoice[];
  /** SCACs of carriers that are known not to be connected. */
  readonly unconnected: ReadonlySet<string>;
}

/** The newest requests that wait for a connection name the carriers that are not connected. */
const waitingRead = 100;

/** A form is shown, with what was typed, even when the API is not available. */
export async function readCarrierMenu(api: Client): Promise<CarrierMenu> {
  try {
    const [lines, waiting] = await Promise.all([
      api.shippingLines.list({}, { format: "mapped" }),
      api.trackingRequests.list({ pageSize: waitingRead, filter: { carrierConnected: false } }),
    ]);
    const scacs = waiting.data.flatMap(({ attributes }) => attributes.scac ?? []);
    return { lines: lines.items, unconnected: new Set(scacs) };
  } catch (error) {
    if (error instanceof AuthenticationError || !(error instanceof SvcError)) throw error;
    return { lines: [], unconnected: new Set() };
  }
}
