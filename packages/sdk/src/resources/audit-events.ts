import { type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import { type Reader, type ReadOptions, segment } from "./reader.ts";
import { auditEventKind } from "./record-kinds.ts";

/** Several values of one filter mean any of them; several filters mean all of them. */
export interface AuditEventFilters {
  /** Id of a user or API token. */
  readonly actor?: FilterValue;
  /** user, api_token, operator or unknown. */
  readonly actorType?: FilterValue;
  /** Action, such as `webhook.updated`. */
  readonly action?: FilterValue;
  /** Id of the record that was changed. */
  readonly subject?: FilterValue;
  readonly subjectType?: FilterValue;
  readonly createdAfter?: FilterValue;
  readonly createdBefore?: FilterValue;
}

export type AuditEventParameters = PageParameters & { readonly filter?: AuditEventFilters | undefined };

/** Reads changes with their actors. Requires an API token of an owner. */
export function auditEventsResource<F extends Format>(reader: Reader<F>) {
  const path = "/audit_events";
  return {
    list<G extends Format = F>(parameters: AuditEventParameters = {}, options?: ReadOptions<G>) {
      return reader.list(auditEventKind, path, filterQuery({ ...parameters.filter }), parameters, options);
    },
    iterate<G extends Format = F>(parameters: Omit<AuditEventParameters, "page"> = {}, options?: ReadOptions<G>) {
      return reader.iterate(auditEventKind, path, filterQuery({ ...parameters.filter }), parameters, options);
    },
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(auditEventKind, { method: "GET", path: `${path}/${segment(id)}` }, options);
    },
  };
}
