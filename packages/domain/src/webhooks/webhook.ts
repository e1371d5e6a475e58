import { z } from "zod";
import type { RecordOf, ValueOf } from "../records/field-table.ts";
import { noticeKinds } from "./webhook-notice.ts";

const header = z.object({ name: z.string(), value: z.string() });
export type WebhookHeader = ValueOf<typeof header>;

const time = z.iso.datetime().nullable();

/** docs/contract/specification.md resource.webhook; docs/contract/reference.md 2.6. */
export const webhookFields = {
  id: z.uuid(),
  url: z.url(),
  active: z.boolean().describe("While false, no notifications are created for the webhook."),
  paused: z.boolean().describe("While true, notifications are held back and sent when deliveries resume."),
  rateLimit: z.number().int().nullable().describe("Maximum number of deliveries per second. Null: no limit."),
  events: z.array(z.string()).describe("Event names, families such as `container.transport.*`, or `*`."),
  /** Shown to the account and sealed at rest, as the values of the headers. */
  secret: z.string(),
  headers: z.array(header),
  createdAt: z.iso.datetime(),
  failingSince: time.describe("Time of the first failure since the last success. Null: no failure since."),
  lastNotice: z.enum(noticeKinds).nullable().describe("Kind of the latest notice."),
  lastNoticeAt: time,
  deactivatedAt: time.describe("When the service stopped deliveries after repeated failures."),
  deactivatedReason: z.string().nullable(),
  rowVersion: z.number().int(),
  updatedAt: z.iso.datetime(),
};

/** A subscriber's endpoint. */
export interface Webhook extends RecordOf<typeof webhookFields> {}
