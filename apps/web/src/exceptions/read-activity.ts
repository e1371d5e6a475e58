import type { Instant } from "@svc/domain";
import {
  arrivalKinds,
  type ExceptionKind,
  type ExceptionStep,
  exceptionSteps,
  isNextStep,
} from "@svc/domain/exceptions";
import type { AuditEventResource, ExceptionResource } from "@svc/sdk";
import type { SignedInCaller } from "../access/api-clients.ts";
import type { MemberEmails } from "../account/member-emails.ts";
import { type ChangeRecord, toChangeRecord } from "../shipments/api-records.ts";

/** Newest of each that the page shows. */
export const activityMax = 50;

/** Stored history of an exception. Each list is newest first. */
export interface StoredActivity {
  /** Changes by members, API tokens and the operator. */
  readonly events: readonly AuditEventResource[];
  readonly hasMoreEvents: boolean;
  /** Email addresses of the owners that the events name, by their ids. */
  readonly owners: ReadonlyMap<string, string>;
  /** Changes, since the exception was opened, of the attributes that the rule reads. */
  readonly changes: readonly ChangeRecord[];
  /** Exceptions whose place this one took, and those that took its place. */
  readonly previous: readonly ExceptionResource[];
  readonly next: readonly ExceptionResource[];
}

const lastFreeDays = ["pickup_lfd_terminal", "pickup_lfd_line", "pickup_lfd_rail"];
const voyage = ["pod_vessel_name", "pod_voyage_number", "pod_eta_at"];

/** The attributes that the rules of docs/exceptions.md read, without those whose change ends the exception. */
const factsByKind: Readonly<Record<ExceptionKind, readonly string[]>> = {
  last_free_day_over: [...lastFreeDays, "fees_at_pod_terminal"],
  last_free_day_today: lastFreeDays,
  last_free_day_soon: lastFreeDays,
  late_appointment: [...lastFreeDays, "pickup_appointment_at"],
  customs_hold: ["holds_at_pod_terminal"],
  hold: ["holds_at_pod_terminal"],
  fee: ["fees_at_pod_terminal"],
  missed_transshipment: voyage,
  connection_at_risk: voyage,
  rollover: voyage,
  arrival_overdue: ["pod_eta_at"],
  eta_delay: ["pod_eta_at"],
  port_of_discharge_changed: ["pod_eta_at"],
  not_returned: [],
  carrier_silent: [],
  tracking_request_failed: [],
  tracking_request_waiting: [],
};

async function readChanges({ api }: SignedInCaller, { attributes, relationships }: ExceptionResource) {
  // During an upgrade, the API may be newer and have a kind that is not in the table.
  const known: Partial<typeof factsByKind> = factsByKind;
  const field = known[attributes.kind] ?? [];
  if (field.length === 0) return [];
  const parameters = { filter: { field }, pageSize: activityMax };
  const { container, shipment } = relationships;
  const { data } = container.data
    ? await api.containers.history(container.data.id, parameters)
    : await api.shipments.history(shipment.data?.id ?? "", parameters);
  const until = attributes.ended_at ?? "9999";
  return data
    .map(toChangeRecord)
    .filter(({ validFrom }) => validFrom > (attributes.opened_at as Instant) && validFrom <= until);
}

function stepOf({ attributes: { kind }, relationships }: ExceptionResource): ExceptionStep {
  const { container, shipment, tracking_request: request } = relationships;
  const scopeId = shipment.data?.id ?? request.data?.id ?? "";
  return { kind, subjectId: container.data?.id ?? scopeId, scopeId };
}

/** The steps before and after the exception in its case: one step ends when the next one opens. */
async function readSteps({ api }: SignedInCaller, exception: ExceptionResource) {
  const { attributes, relationships } = exception;
  const { kind, opened_at: opened, ended_at: ended } = attributes;
  const kinds = exceptionSteps.filter((step) => step.includes(kind)).flat();
  const isArrival = arrivalKinds.includes(kind);
  if (kinds.length === 0 && !isArrival) return { previous: [], next: [] };
  const [container, trackingRequest] = [relationships.container.data?.id, relationships.tracking_request.data?.id];
  const isShipmentSubject = isArrival || (container ?? trackingRequest) === undefined;
  const subject = isShipmentSubject ? { shipment: relationships.shipment.data?.id } : { container, trackingRequest };
  const filter = { kind: [...new Set([kind, ...kinds])], ...subject };
  const { data } = await api.exceptions.list({ filter, pageSize: activityMax, sort: "-opened_at" });
  const step = stepOf(exception);
  return {
    previous: data.filter((one) => isNextStep(stepOf(one), step) && one.attributes.ended_at === opened),
    next: data.filter((one) => isNextStep(step, stepOf(one)) && one.attributes.opened_at === ended),
  };
}

/** The ids of all owners before and after the events. */
function ownerIdsOf(events: readonly AuditEventResource[]): readonly string[] {
  const changes = events.map(({ attributes }) => attributes.changes.owner_user_id);
  const ids = changes.flatMap((change) => (change && "to" in change ? [change.from, change.to] : []));
  return [...new Set(ids.filter((id) => typeof id === "string"))];
}

export async function readActivity(
  caller: SignedInCaller,
  exception: ExceptionResource,
  members: MemberEmails,
): Promise<StoredActivity> {
  const [page, changes, steps] = await Promise.all([
    caller.api.exceptions.auditEvents(exception.id, { pageSize: activityMax }),
    readChanges(caller, exception),
    readSteps(caller, exception),
  ]);
  const owners = await Promise.all(
    ownerIdsOf(page.data).map(async (id) => [id, await members.find(caller.accountId, id)] as const),
  );
  return {
    events: page.data,
    hasMoreEvents: page.links?.next !== undefined,
    owners: new Map(owners.flatMap(([id, email]) => (email === null ? [] : [[id, email] as const]))),
    changes,
    ...steps,
  };
}
