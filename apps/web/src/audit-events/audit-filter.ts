import { addDays, addMs, startOfLocalDate } from "@svc/domain";
import { auditSubjects } from "@svc/domain/audit-events";
import { isUuid } from "@svc/domain/identifiers";
import { isDay } from "@svc/domain/saved-views";
import type { AuditEventFilters, AuditEventResource } from "@svc/sdk";

export type AuditSubject = AuditEventResource["attributes"]["subject_type"];

/** Actors without an id. */
export const otherActors = { operator: "Operator of the service", unknown: "Not signed in" } as const;

export interface AuditFilter {
  readonly subjectType: AuditSubject | null;
  /** Id of a member or an API token, or a key of `otherActors`; empty: anybody. */
  readonly actor: string;
  /** First and last day, in the zone of the reader; empty: any. */
  readonly from: string;
  readonly to: string;
}

/** `text`: a parameter of the address by name. */
export function readAuditFilter(text: (name: string) => string): AuditFilter {
  const [actor, from, to] = [text("by"), text("from"), text("to")];
  return {
    subjectType: auditSubjects.find((one) => one === text("subject")) ?? null,
    actor: isUuid(actor) || Object.hasOwn(otherActors, actor) ? actor : "",
    from: isDay(from) ? from : "",
    to: isDay(to) ? to : "",
  };
}

export const isFiltered = ({ subjectType, actor, from, to }: AuditFilter): boolean =>
  subjectType !== null || actor !== "" || from !== "" || to !== "";

/** The parameters of an address with the filter, "?subject=webhook"; empty without a filter. */
export function auditQuery({ subjectType, actor, from, to }: AuditFilter, number = 1): string {
  const parameters = { subject: subjectType ?? "", by: actor, from, to, page: number > 1 ? String(number) : "" };
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "")).toString();
  return query === "" ? "" : `?${query}`;
}

/** The filter of the API. The days are those of the zone. */
export function apiFilterOf({ subjectType, actor, from, to }: AuditFilter, zone: string): AuditEventFilters {
  return {
    ...(subjectType !== null && { subjectType }),
    ...(actor !== "" && (isUuid(actor) ? { actor } : { actorType: actor })),
    ...(from !== "" && { createdAfter: addMs(startOfLocalDate(from, zone), -1) }),
    ...(to !== "" && { createdBefore: startOfLocalDate(addDays(to, 1), zone) }),
  };
}
