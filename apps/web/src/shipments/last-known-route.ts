import type { Instant } from "@svc/domain";
import type { Client } from "@svc/sdk";
import { optionalPartMs } from "../access/api-clients.ts";
import { nullIfNotFound } from "../http/find-record.ts";
import { isUnavailable } from "../http/or-null.ts";
import { type ChangeRecord, type ShipmentRecord, toChangeRecord } from "./api-records.ts";

const changesMax = 25;

interface StoredPlace {
  readonly kind: "port" | "metro_area";
  /** As the carrier calls it. */
  readonly name?: string | null;
  readonly locode?: string | null;
}

/** Most carriers report the UN/LOCODE alone. */
async function placeName(api: Client, value: unknown): Promise<string | null> {
  const { kind, name = null, locode = null } = (value ?? {}) as Partial<StoredPlace>;
  if (name !== null || locode === null) return name;
  const options = { timeoutMs: optionalPartMs };
  const place = await nullIfNotFound<{ readonly data: { readonly attributes: { readonly name: string } } }>(
    kind === "metro_area" ? api.metroAreas.get(locode, options) : api.ports.get(locode, options),
  );
  return place?.data.attributes.name ?? locode;
}

/** "Santos → Antwerp" of the last value of each place. */
async function readRouteText(api: Client, changes: readonly ChangeRecord[]): Promise<string | null> {
  const last = (field: string) => placeName(api, changes.find((change) => change.field === field)?.value);
  const places = await Promise.all(["portOfLading", "portOfDischarge", "destination"].map(last));
  const names = places.filter((name, index) => name !== null && name !== places[index - 1]);
  return names.join(" → ") || null;
}

/**
 * The last known route of a shipment without one; null if it has one or never had. A carrier withdraws its plan with
 * the cancellation of the booking.
 */
export async function readLastKnownRoute(
  api: Client,
  { id, portOfLading, portOfDischarge, destination }: ShipmentRecord,
  asOf: Instant | null,
): Promise<string | null> {
  if (portOfLading ?? portOfDischarge ?? destination) return null;
  const filter = { field: ["port_of_lading", "port_of_discharge", "destination"] };
  try {
    const { data } = await api.shipments.history(id, { filter, pageSize: changesMax }, { timeoutMs: optionalPartMs });
    const known = data.map(toChangeRecord).filter(({ validFrom }) => asOf === null || validFrom <= asOf);
    return await readRouteText(api, known);
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  }
}
