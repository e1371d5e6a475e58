import { type Clock, evaluateExceptions, exceptionKinds, type Instant, instant } from "@svc/domain";
import type { ContainerOverviewResource } from "@svc/jsonapi";
import {
  type ContainerView,
  containerFiltersOf,
  containersApiPath,
  readContainerQuery,
} from "../containers/list-query.ts";
import type { DashboardRoutes, Person } from "../dashboard/dashboard-routes.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { type AttentionItem, attentionPage } from "./attention-page.ts";

/** Each view of the list of containers that may hold exceptions, in the order in which its first rows are the most urgent. */
const sources = [
  ["last_free_day", "last_free_day"],
  ["holds", "last_free_day"],
  ["fees", "last_free_day"],
  ["late", "-delay"],
  ["stale", "-updated_at"],
  ["not_returned", "updated_at"],
  ["available", "last_free_day"],
] as const satisfies readonly (readonly [ContainerView, string])[];

const rowsOfView = 100;
const itemsShown = 100;

function itemOf({ id, attributes }: ContainerOverviewResource, now: Instant): AttentionItem {
  const {
    last_free_day: lastFreeDay,
    pod_timezone: timeZone,
    holds,
    fees,
    full_out_at,
    empty_returned_at,
  } = attributes;
  const time = (at: string | null) => (at === null ? null : instant(at));
  const facts = {
    lastFreeDay,
    timeZone,
    holds,
    fees: fees.map(({ type, amount, currency_code }) => ({ type, amount, currencyCode: currency_code })),
    fullOutAt: time(full_out_at),
    emptyReturnedAt: time(empty_returned_at),
    delayDays: attributes.delay_days,
    hasArrived:
      (attributes.destination_locode === attributes.pod_locode
        ? attributes.pod_ata_at
        : (attributes.destination_ata_at ?? attributes.pod_ata_at)) !== null,
    freshness: attributes.freshness,
  };
  return {
    id,
    number: attributes.container_number,
    shipmentId: attributes.shipment_id,
    shipmentNumber: attributes.bill_of_lading_number,
    customer: attributes.customer_name,
    route: `${attributes.pol_name ?? "–"} → ${attributes.pod_name ?? "–"}`,
    exceptions: evaluateExceptions(facts, now),
  };
}

const urgency = ({ exceptions: [first] }: AttentionItem): readonly [number, number] =>
  first
    ? [exceptionKinds.indexOf(first.kind), first.kind === "last_free_day_soon" ? (first.days ?? 0) : -(first.days ?? 0)]
    : [exceptionKinds.length, 0];

function byUrgency(one: AttentionItem, other: AttentionItem): number {
  const [[kind, days], [otherKind, otherDays]] = [urgency(one), urgency(other)];
  return kind - otherKind || days - otherDays || (one.number < other.number ? -1 : 1);
}

async function readView({ api }: Person, view: ContainerView, sort: string, now: Instant) {
  const filter = containerFiltersOf(readContainerQuery({ view }), now);
  const { data, meta } = await api.overviews.containers({ filter, sort, pageSize: rowsOfView });
  return { view, data, total: meta?.page?.total ?? data.length };
}

/** `GET /attention`, and `/` for people who are logged in. */
export function addAttentionRoute(
  routes: DashboardRoutes,
  { apiBaseUrl, clock }: { readonly apiBaseUrl: string; readonly clock: Clock },
): void {
  routes.page("/attention", async (request, response, person) => {
    const now = clock.now();
    const [failed, ...found] = await Promise.all([
      person.api.trackingRequests.list({ pageSize: 1, filter: { status: "failed" } }),
      ...sources.map(([view, sort]) => readView(person, view, sort, now)),
    ]);
    const rows = new Map(found.flatMap(({ data }) => data.map((one) => [one.id, itemOf(one, now)] as const)));
    const items = [...rows.values()].filter(({ exceptions }) => exceptions.length > 0).sort(byUrgency);
    const page = attentionPage({
      caller: person,
      apiBaseUrl,
      now,
      counts: new Map(found.map(({ view, total }) => [view, total])),
      failedRequests: failed.meta?.page?.total ?? failed.data.length,
      items: items.slice(0, itemsShown),
      apiPaths: sources.map(([view, sort]) => containersApiPath(readContainerQuery({ view, sort }), now)),
    });
    sendLivePage(request, response, page);
  });
}
