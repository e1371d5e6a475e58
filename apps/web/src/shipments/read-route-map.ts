import type { Instant } from "@svc/domain";
import { type Client, FeatureNotEnabledError } from "@svc/sdk";
import type { RouteMapResult } from "@svc/views/route-map";
import { optionalPartMs } from "../access/api-clients.ts";
import { isUnavailable } from "../http/or-null.ts";

/** The page is shown even when the map is not available. */
export async function readRouteMap(
  api: Client,
  containerId: string | null,
  asOf: Instant | null,
): Promise<RouteMapResult> {
  if (containerId === null) return { type: "FeatureCollection", features: [] };
  try {
    return await api.containers.map(containerId, { asOf: asOf ?? undefined }, { timeoutMs: optionalPartMs });
  } catch (error) {
    if (error instanceof FeatureNotEnabledError) return "not_enabled";
    if (isUnavailable(error)) return "not_available";
    throw error;
  }
}
