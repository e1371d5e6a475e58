import { type ExceptionKind, type ExceptionStatus, exceptionKinds, exceptionStatuses } from "@svc/domain/exceptions";
import { isLocode } from "@svc/domain/identifiers";
import { readPort } from "../saved-views/port-choice.ts";
import { readCustomer, readSaved, readText } from "../saved-views/view-parameters.ts";

/** Filters and page number of the list, as in the query of its URL. An empty text: not filtered. */
export interface AttentionQuery {
  readonly status: ExceptionStatus;
  readonly kind: ExceptionKind | null;
  /** "me", "none", or the email address of a member. */
  readonly owner: string;
  /** Part of the name. */
  readonly customer: string;
  /** The name of a customer, from links. */
  readonly customerName: string;
  /** SCAC as typed. */
  readonly carrier: string;
  /** UN/LOCODE of the port of discharge, or a name that no port was found for. */
  readonly port: string;
  /** Part of a number or reference, as typed. */
  readonly typed: string;
  /** Limits resolved exceptions to those that a member resolved. */
  readonly byMember: boolean;
  /** The id of the saved view that the page was opened with, "none", or "". */
  readonly saved: string;
  readonly page: number;
}

const oneOf = <Value extends string>(values: readonly Value[], text: unknown): Value | null =>
  values.find((value) => value === text) ?? null;

/** Whether it is no member's email address. */
export const isTeamwide = (owner: string): boolean => ["", "me", "none"].includes(owner);

function readOwner(value: unknown): string {
  const owner = readText(value, 320).trim();
  return isTeamwide(owner) || owner.includes("@") ? owner : "";
}

/** Reads the query of the URL. Unknown values are ignored. */
export function readAttentionQuery(parameters: Readonly<Record<string, unknown>>): AttentionQuery {
  const page = Number(parameters.page);
  const { customer, customer_name: customerName } = readCustomer(parameters);
  return {
    status: oneOf(exceptionStatuses, parameters.status) ?? "open",
    kind: oneOf(exceptionKinds, parameters.kind),
    owner: readOwner(parameters.owner),
    customer,
    customerName,
    carrier: readText(parameters.carrier, 4).trim().toUpperCase(),
    port: readPort(parameters.port_of_discharge),
    typed: readText(parameters.q, 100).trim(),
    byMember: parameters.resolution === "by_member" && parameters.status === "resolved",
    saved: readSaved(parameters.saved),
    page: Number.isInteger(page) && page >= 1 && page <= 200 ? page : 1,
  };
}

/** URL of the list. A changed filter starts at the first page. */
export function attentionPath(query: AttentionQuery, changes: Partial<AttentionQuery> = {}): string {
  const all = { ...query, page: 1, ...changes };
  const { status, kind, owner, customer, customerName, carrier, port, typed, byMember, saved, page } = all;
  const parameters = new URLSearchParams({
    ...(status !== "open" && { status }),
    ...(kind && { kind }),
    ...(owner && { owner }),
    ...(customer && { customer }),
    ...(customerName && { customer_name: customerName }),
    ...(carrier && { carrier }),
    ...(port && { port_of_discharge: port }),
    ...(typed && { q: typed }),
    ...(byMember && status === "resolved" && { resolution: "by_member" }),
    ...(saved && { saved }),
    ...(page > 1 && { page: String(page) }),
  });
  return parameters.size === 0 ? "/attention" : `/attention?${parameters}`;
}

/** The filter parameters of the API. What the next step of its case superseded is no work that was done. */
export const apiFilterOf = (query: AttentionQuery, email: string) => {
  const { status, kind, owner, customer, customerName, carrier, port, typed, byMember } = query;
  return {
    status,
    ...(kind && { kind }),
    ...(owner && { owner: owner === "me" ? email : owner }),
    ...(customer && { customer: [customer] }),
    ...(customerName && { customerName: [customerName] }),
    ...(carrier && { carrier: [carrier] }),
    ...(isLocode(port) && { portOfDischarge: [port] }),
    ...(typed && { search: typed }),
    ...(byMember && { resolution: "by_member" as const }),
    ...(status === "resolved" && { superseded: false }),
  };
};

/** Exceptions on a page: so many that a group of many containers leaves room for others. */
const pageSize = 100;

/** The page of the list in the API: resolved exceptions by resolution, latest first, others by urgency. */
export const apiPageOf = (query: AttentionQuery, email: string) => ({
  filter: apiFilterOf(query, email),
  page: query.page,
  pageSize,
  sort: query.status === "resolved" ? "-resolved_at" : "-priority",
});

/** Whether the list is filtered by attributes of shipments and tracking requests. */
export const hasShipmentFilters = ({ customer, customerName, carrier, port, typed }: AttentionQuery): boolean =>
  [customer, customerName, carrier, port, typed].some((text) => text !== "");
