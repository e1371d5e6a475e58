import { includable } from "@svc/jsonapi";
import { eventually } from "@svc/testkit";
import type { Route } from "../http/define-route.ts";
import { routes } from "../routes.ts";
import { fillAccount, type insertSharedPlaces } from "./full-account.ts";
import type { TestApi } from "./start-test-api.ts";

/** An account that has everything, with the ids of the first of each kind. */
export interface FilledAccount {
  readonly token: string;
  readonly ids: Readonly<Record<string, string>>;
}

export async function createFilledAccount(
  api: TestApi,
  places: Awaited<ReturnType<typeof insertSharedPlaces>>,
  count: number,
): Promise<FilledAccount> {
  const account = await api.createAccount({ features: ["container_route"] });
  const ids = await fillAccount(api, account, places, count);
  // Transactions of other tests hold the end of a webhook's feed back for a moment.
  await eventually("the feed has them all", async () => {
    const feed = await api.request(`/webhooks/${ids.webhooks}/notifications`, { token: account.token });
    return feed.body.meta.page.total === count;
  });
  const shared = { ports: places.portId, terminals: places.terminalId, vessels: places.vesselId };
  const audited = await api.request("/audit_events", { token: account.token });
  const metroArea = await api.database.prisma.metroArea.findFirstOrThrow();
  const others = { metro_areas: metroArea.id, shipping_lines: "SBXL", audit_events: audited.body.data[0].id };
  return { token: account.token, ids: { ...ids, ...shared, ...others } };
}

/** Every operation that reads. */
export const reads: readonly Route[] = routes.filter(({ method, streams }) => method === "get" && !streams);

/** The address of the operation for a record of the account. */
export function addressOf({ path }: Route, { ids }: FilledAccount): string {
  const [, kind = ""] = path.split("/");
  const own = kind === "custom_field_definitions" ? "definitions" : kind;
  const required: Readonly<Record<string, string>> = {
    "/search": "?query=SBXU",
    "/webhook_notifications/examples": "?event=container.updated",
    "/vessels/{id}/future_positions": "?port_id=USLAX&previous_port_id=CNSHA",
    "/vessels/{id}/future_positions_with_coordinates":
      "?port_id=USLAX&previous_port_id=CNSHA&latitude=35&longitude=-150.5",
  };
  const address = path.replace("{id}", ids[own] ?? "").replace("{option_id}", ids.options ?? "");
  return `${address}${required[path] ?? ""}`;
}

/** The address that includes everything one or two steps away from the route's resource; null when there is nothing. */
export function addressWithAll(route: Route, account: FilledAccount): string | null {
  const { type, extraInclude = [] } = route.request.query ?? {};
  const steps = Object.entries(type ? includable[type] : {}).flatMap(([name, types]) => [
    name,
    ...new Set(types.flatMap((next) => Object.keys(includable[next]).map((further) => `${name}.${further}`))),
  ]);
  const all = [...steps, ...extraInclude];
  const address = addressOf(route, account);
  return all.length === 0 ? null : `${address}${address.includes("?") ? "&" : "?"}include=${all.join(",")}`;
}
