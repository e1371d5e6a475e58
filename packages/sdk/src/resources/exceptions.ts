import { type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import { type Reader, type ReadOptions, segment, type WriteOptions } from "./reader.ts";
import { auditEventKind, exceptionChargeKind, exceptionKind, overviewCountKind } from "./record-kinds.ts";

/** Several values of one filter mean any of them; several filters mean all of them. */
export interface ExceptionFilters {
  readonly kind?: FilterValue;
  readonly severity?: FilterValue;
  /** open, snoozed or resolved. */
  readonly status?: FilterValue;
  /** cleared, superseded, tracking_stopped or by_member. */
  readonly resolution?: FilterValue;
  /** Whether the next step of its case took its place. */
  readonly superseded?: boolean | undefined;
  /** E-mail address of the owner, or `none`. */
  readonly owner?: FilterValue;
  readonly shipment?: FilterValue;
  readonly container?: FilterValue;
  readonly trackingRequest?: FilterValue;
  /** SCAC. */
  readonly carrier?: FilterValue;
  /** Part of the customer's name. */
  readonly customer?: FilterValue;
  /** Name of the customer, in any case. */
  readonly customerName?: FilterValue;
  readonly tag?: FilterValue;
  /** UN/LOCODE of the shipment's port of discharge. */
  readonly portOfDischarge?: FilterValue;
  /** Part of a number or reference of the container, its shipment or the tracking request. */
  readonly search?: string | undefined;
  readonly openedAfter?: string | Date | undefined;
  /** Whether the condition has ended. A member can resolve an exception whose condition lasts. */
  readonly ended?: boolean | undefined;
}

export type ExceptionParameters = PageParameters & { readonly filter?: ExceptionFilters | undefined };

/** Changes of an exception. An absent member is not changed. */
export interface ExceptionEdit {
  /** `open` reopens it and ends its snooze. */
  readonly status?: "open" | "resolved" | undefined;
  /** E-mail address of a member; null: no owner. */
  readonly owner?: string | null | undefined;
  readonly snoozedUntil?: string | Date | null | undefined;
  readonly note?: string | null | undefined;
}

/** Reads and edits exceptions, the most urgent first. */
export function exceptionsResource<F extends Format>(reader: Reader<F>) {
  const path = (id: string) => `/exceptions/${segment(id)}`;
  return {
    list<G extends Format = F>(parameters: ExceptionParameters = {}, options?: ReadOptions<G>) {
      return reader.list(exceptionKind, "/exceptions", filterQuery({ ...parameters.filter }), parameters, options);
    },
    iterate<G extends Format = F>(parameters: Omit<ExceptionParameters, "page"> = {}, options?: ReadOptions<G>) {
      return reader.iterate(exceptionKind, "/exceptions", filterQuery({ ...parameters.filter }), parameters, options);
    },
    count<G extends Format = F>(
      by: "kind" | "severity" | "customer" | "status",
      filter?: ExceptionFilters,
      options?: ReadOptions<G>,
    ) {
      const query = { ...filterQuery({ ...filter }), group_by: by };
      return reader.list(overviewCountKind, "/exceptions/counts", query, {}, options);
    },
    /** Sums what containers are charged so far, by currency, of the exceptions whose condition lasts. */
    charges<G extends Format = F>(
      by: "kind" | "customer",
      filter?: Omit<ExceptionFilters, "ended">,
      options?: ReadOptions<G>,
    ) {
      const query = { ...filterQuery({ ...filter }), group_by: by };
      return reader.list(exceptionChargeKind, "/exceptions/charges", query, {}, options);
    },
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(exceptionKind, { method: "GET", path: path(id) }, options);
    },
    /** Lists the changes with their actors, newest first. */
    auditEvents<G extends Format = F>(id: string, parameters: PageParameters = {}, options?: ReadOptions<G>) {
      return reader.list(auditEventKind, `${path(id)}/audit_events`, {}, parameters, options);
    },
    update<G extends Format = F>(id: string, edit: ExceptionEdit, options?: WriteOptions<G>) {
      const { status, owner, snoozedUntil, note } = edit;
      const until = snoozedUntil instanceof Date ? snoozedUntil.toISOString() : snoozedUntil;
      const body = { data: { type: "exception", id, attributes: { status, owner, snoozed_until: until, note } } };
      return reader.one(exceptionKind, { method: "PATCH", path: path(id), body }, options);
    },
  };
}
