import type { Instant } from "../instant.ts";

export const actorTypes = ["user", "api_token", "operator", "unknown"] as const;
export const auditSubjects = [
  "account",
  "alert_subscription",
  "api_token",
  "application",
  "calendar_feed",
  "carrier_connection",
  "container",
  "custom_field_definition",
  "custom_field_option",
  "demurrage_rule",
  "emission_factor",
  "exception",
  "invitation",
  "member",
  "saved_view",
  "share_link",
  "shipment",
  "tracking_request",
  "user",
  "webhook",
] as const;

/** Values before and after; of a secret only that it changed. */
export type AuditChange = { readonly from: unknown; readonly to: unknown } | { readonly is_secret: true };

/** Change in the audit log, with its actor (docs/audit-log.md). All times are real times. */
export interface AuditEvent {
  readonly id: string;
  /** Unknown: a sign-in that failed, or a request for a link that replaces a lost password. */
  readonly actorType: (typeof actorTypes)[number];
  readonly actorId: string | null;
  /** Email address of the user or name of the token, as it was. */
  readonly actorName: string | null;
  /** The subject and what was done to it, for example "webhook.updated". */
  readonly action: string;
  readonly subjectType: (typeof auditSubjects)[number];
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  readonly changes: Readonly<Record<string, AuditChange>>;
  readonly createdAt: Instant;
}
