import type { CarrierConnectionResource, CarrierResource, Client } from "@svc/sdk";

type Connection = CarrierConnectionResource;

/** A carrier of the catalogue, one that the account connected, or one that the operator connected. */
export interface CarrierRecord {
  readonly scac: string;
  readonly name: string;
  /** Null: it is not in the catalogue. */
  readonly entry: CarrierResource["attributes"] | null;
  /** The account's own connection. */
  readonly connection: Connection | null;
  /** The operator's credentials are used for every account. */
  readonly isServiceConnected: boolean;
}

/** Whether no request with the account's credentials has confirmed the entry of the catalogue yet. */
export const isUnverified = ({ entry, connection }: CarrierRecord): boolean =>
  entry !== null && connection?.attributes.last_succeeded_at == null;

export const isTerminalOperator = ({ entry }: CarrierRecord): boolean => entry?.kind === "terminal_operator";

const isConnected = ({ connection, isServiceConnected }: CarrierRecord) => connection !== null || isServiceConnected;

/** Whether the account can connect the carrier with credentials of its own, and has no connection yet. */
export const isConnectable = (carrier: CarrierRecord): boolean => carrier.entry !== null && !isConnected(carrier);

/** Maximum number of waiting requests that are read, newest first. */
const waitingRead = 100;

/** SCACs of carriers that are not connected, and that requests wait for. */
export async function readAwaited({ trackingRequests }: Client): Promise<ReadonlySet<string>> {
  const { data } = await trackingRequests.list({ pageSize: waitingRead, filter: { carrierConnected: false } });
  return new Set(data.flatMap(({ attributes }) => attributes.scac ?? []));
}

/** Carriers that the account can use or connect: connected ones first, then by name. */
export async function readCarriers({ carriers, carrierConnections, shippingLines }: Client): Promise<CarrierRecord[]> {
  const [{ data: catalogue }, connections, { data: lines }] = await Promise.all([
    carriers.list(),
    carrierConnections.list({ pageSize: 100 }),
    shippingLines.list(),
  ]);
  const entries = new Map(catalogue.map(({ id, attributes }) => [id, attributes]));
  const own = new Map(connections.data.map((connection) => [connection.attributes.scac, connection]));
  const served = new Set(
    [
      ...lines.filter(({ attributes }) => attributes.service_connected),
      // Terminal operators are no shipping lines.
      ...catalogue.filter(({ attributes }) => attributes.connection === "service"),
    ].map(({ attributes }) => attributes.scac),
  );
  const names = new Map(lines.map(({ attributes: { scac, name } }) => [scac, name]));
  const records = [...new Set([...entries.keys(), ...own.keys(), ...served])].map((scac): CarrierRecord => {
    const entry = entries.get(scac) ?? null;
    const name = entry?.name ?? names.get(scac) ?? scac;
    return { scac, name, entry, connection: own.get(scac) ?? null, isServiceConnected: served.has(scac) };
  });
  return records.sort((a, b) => Number(isConnected(b)) - Number(isConnected(a)) || a.name.localeCompare(b.name, "en"));
}
