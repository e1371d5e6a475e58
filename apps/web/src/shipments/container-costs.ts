import type { Instant } from "@svc/domain";
import { containerCost, type ExceptionKind, runningChargeKinds } from "@svc/domain/exceptions";
import { type Money, sumMoney } from "@svc/domain/money";
import type { ContainerOverviewResource } from "@svc/jsonapi/overviews";
import type { Client, ContainerDemurrageResource, ExceptionResource } from "@svc/sdk";
import { optionalPartMs } from "../access/api-clients.ts";
import { orNull } from "../http/or-null.ts";
import type { ContainerRecord } from "./api-records.ts";
import { daysUntil } from "./last-free-day.ts";

/** What containers cost so far, and the price of the next day while days are charged, by currency. */
export interface Costs {
  readonly soFar: readonly Money[];
  readonly perDay: readonly Money[];
}

type Overview = ContainerOverviewResource["attributes"];
type WireMoney = Overview["cost_so_far"][number];
type RuledCharge = ContainerDemurrageResource["attributes"]["charges"][number];

const toMoney = ({ amount, currency_code: currencyCode }: WireMoney): Money => ({ amount, currencyCode });

/** Whether no day is charged by time yet: until the last free day for the pickup, then for the return. */
export function isFree(overview: Overview, now: Instant): boolean {
  const { full_out_at, last_free_day, last_free_day_timezone, demurrage } = overview;
  if (full_out_at === null) return last_free_day !== null && daysUntil(last_free_day, now, last_free_day_timezone) >= 0;
  return demurrage.some(({ status }) => status === "free") && demurrage.every(({ status }) => status !== "charged");
}

const charging: ReadonlySet<ExceptionKind> = new Set(runningChargeKinds);

/** The costs of one container, as its row in the list has them. */
export function costsOfContainer(
  fees: ContainerRecord["feesAtPodTerminal"],
  charges: readonly RuledCharge[],
  exceptions: readonly ExceptionResource[],
): Costs {
  const charged = exceptions.flatMap(({ attributes: { kind, ended_at: ended, amount_per_day: perDay } }) =>
    charging.has(kind) && ended === null && perDay ? [{ perDay: toMoney(perDay) }] : [],
  );
  const ruled = charges.map(({ kind, direction, amount, currency_code: currencyCode }) => ({
    kind,
    direction,
    amount,
    currencyCode,
  }));
  const { soFar, perDay } = containerCost({ fees, charges: ruled, charged });
  return { soFar, perDay: perDay === null ? [] : [perDay] };
}

/** What the terminals had reported of containers at an earlier time. */
export const reportedCosts = (containers: readonly ContainerRecord[]): Costs => ({
  soFar: sumMoney(containers.flatMap(({ feesAtPodTerminal: fees }) => costsOfContainer(fees, [], []).soFar)),
  perDay: [],
});

const pageSize = 100;

/** The sum of what the lists show of the containers of a shipment. Null: not available. */
export async function readShipmentCosts(
  api: Client,
  shipment: { readonly id: string; readonly containerIds: readonly string[] },
  now: Instant,
): Promise<Costs | null> {
  const pages = Array.from({ length: Math.ceil(shipment.containerIds.length / pageSize) }, (_, index) => index + 1);
  const readPage = (page: number) =>
    api.overviews.containers({ filter: { shipment: shipment.id }, page, pageSize }, { timeoutMs: optionalPartMs });
  const documents = await orNull(Promise.all(pages.map(readPage)));
  if (documents === null) return null;
  const overviews = documents.flatMap(({ data }) => data.map(({ attributes }) => attributes));
  const growing = overviews.filter((overview) => !isFree(overview, now));
  return {
    soFar: sumMoney(overviews.flatMap(({ cost_so_far: soFar }) => soFar.map(toMoney))),
    perDay: sumMoney(growing.flatMap(({ cost_per_day: perDay }) => (perDay === null ? [] : [toMoney(perDay)]))),
  };
}
