import type { Instant } from "@svc/domain";
import { type Client, SvcError } from "@svc/sdk";
import { optionalPartMs } from "../access/api-clients.ts";
import { type ShownChange, type ShownShipment, shownChange } from "./api-records.ts";

const changesMax = 25;

function placeName(value: unknown): string | null {
  const { name, locode } = (value ?? {}) as { readonly name?: string | null; readonly locode?: string | null };
  return name ?? locode ?? null;
}

/** "Santos → Antwerp" of the last value of each place. */
function routeOf(changes: readonly ShownChange[]): string | null {
  const last = (field: string) => placeName(changes.find((change) => change.field === field)?.value);
  const places = [last("portOfLading"), last("portOfDischarge"), last("destination")];
  const names = places.filter((name, index) => name !== null && name !== places[index - 1]);
  return names.join(" → ") || null;
}

/**
 * The last known route of a shipment without one; null if it has one or never had. A carrier withdraws its plan with
 * the cancellation of the booking.
 */
export async function readLastRoute(
  api: Client,
  { id, portOfLading, portOfDischarge, destination }: ShownShipment,
  asOf: Instant | null,
): Promise<string | null> {
  if (portOfLading ?? portOfDischarge ?? destination) return null;
  const filter = { field: ["port_of_lading", "port_of_discharge", "destination"] };
  try {
    const { data } = await api.shipments.history(id, { filter, pageSize: changesMax }, { timeoutMs: optionalPartMs });
    const known = data.map(shownChange).filter(({ validFrom }) => asOf === null || validFrom <= asOf);
    return routeOf(known);
  } catch (error) {
    if (error instanceof SvcError) return null;
    throw error;
  }
}
