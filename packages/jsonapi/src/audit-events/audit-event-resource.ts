import { instant } from "@svc/domain";
import { type AuditChange, type AuditEvent, actorTypes, auditSubjects } from "@svc/domain/audit-events";
import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

const change = z.union([
  z
    .object({ from: z.unknown(), to: z.unknown() })
    .describe("Value before and after the change; null where there was none."),
  z.object({ is_secret: z.literal(true) }).describe("A secret changed. It is not recorded."),
]);

/** A change by a member, an API token or the operator (docs/audit-log.md). */
export const AuditEventResource = resourceObject(
  "audit_event",
  {
    action: z.string().describe("The subject and what was done to it, for example `webhook.secret_rotated`."),
    actor_type: z
      .enum(actorTypes)
      .describe("`operator`: the operator of the service, with `svc-admin`. `unknown`: a sign-in that failed."),
    actor_id: z.uuid().nullable().describe("Id of the user or API token."),
    actor_name: z
      .string()
      .nullable()
      .describe("Email address of the user or name of the token at the time of the event."),
    subject_type: z.enum(auditSubjects).describe("Kind of the record that was changed."),
    subject_id: z.uuid().nullable().describe("Id of the record that was changed."),
    subject_name: z.string().nullable().describe("Name, number or address of the record at the time of the event."),
    changes: z.record(z.string(), change).describe("The changed values by their names, without secrets."),
    created_at: dateTime.describe("When the change was made."),
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "AuditEvent" });

export type AuditEventResource = z.infer<typeof AuditEventResource>;

const storedTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?[+-]\d{2}:\d{2}$/;

/** Times are recorded as PostgreSQL writes them in JSON, and shown like every other time. */
const toWireValue = (value: unknown): unknown =>
  typeof value === "string" && storedTime.test(value) ? instant(value) : (value ?? null);

function toWireChange(change: AuditChange): AuditChange {
  return "is_secret" in change ? change : { from: toWireValue(change.from), to: toWireValue(change.to) };
}

export function auditEventResource(event: AuditEvent, baseUrl: string): AuditEventResource {
  return {
    id: event.id,
    type: "audit_event",
    attributes: {
      action: event.action,
      actor_type: event.actorType,
      actor_id: event.actorId,
      actor_name: event.actorName,
      subject_type: event.subjectType,
      subject_id: event.subjectId,
      subject_name: event.subjectName,
      changes: Object.fromEntries(
        Object.entries(event.changes).map(([name, changed]) => [name, toWireChange(changed)]),
      ),
      created_at: event.createdAt,
    },
    links: { self: `${baseUrl}/audit_events/${event.id}` },
  };
}
