import { zoneOffsetMs } from "@svc/domain";
import { type AlertSubscriptionSettings, alertChannels, alertFrequencies } from "@svc/domain/alerts";
import { exceptionKinds, exceptionSeverities } from "@svc/domain/exceptions";
import { z } from "zod";
import { tags, text } from "../documents/text.ts";
import type { WriteDocument, WrittenShape } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

const settings = {
  name: text(100).describe("Name, shown in the subject of mails."),
  webhook_url: text(2_000)
    .optional()
    .describe("Incoming webhook of the Slack or Teams channel. Encrypted at rest and never returned."),
  frequency: z.enum(alertFrequencies),
  hour: z.int().min(0).max(23).optional().describe("Hour of a digest, in `time_zone`. Default 8."),
  weekday: z.int().min(1).max(7).optional().describe("Weekday of a weekly digest; 1 is Monday. Default 1."),
  time_zone: text(64)
    .refine((zone) => zoneOffsetMs(zone, 0) !== null, { error: "must be an IANA time zone such as Europe/Berlin" })
    .optional()
    .describe("IANA time zone name of a digest. Default UTC."),
  kinds: z.array(z.enum(exceptionKinds)).max(exceptionKinds.length).optional(),
  severities: z.array(z.enum(exceptionSeverities)).max(exceptionSeverities.length).optional(),
  carriers: z
    .array(z.string().regex(/^[A-Z]{2,4}$/, "must be two to four capital letters"))
    .max(50)
    .optional(),
  customers: z.array(text(100)).max(20).optional(),
  tags: tags.optional(),
  saved_view_id: z
    .uuid()
    .nullable()
    .optional()
    .describe(
      "A saved view of shipments or exceptions that is shared, or belongs to the member who receives the alerts.",
    ),
  minimum_amount: z.number().min(0).max(1e9).nullable().optional(),
  minimum_amount_currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "must be three capital letters such as USD")
    .nullable()
    .optional(),
  includes_resolved: z.boolean().optional(),
  active: z.boolean().optional(),
} satisfies WrittenShape<AlertSubscriptionSettings & { readonly webhookUrl: string }>;

const readOnly = (writable: object) =>
  attributeNames("alert_subscription").filter((name) => !Object.hasOwn(writable, name));

const created = {
  ...settings,
  channel: z.enum(alertChannels),
  member: text(320)
    .optional()
    .describe("E-mail address of a member; for the channel email, unless `mailbox` is given."),
  mailbox: z
    .email()
    .max(320)
    .optional()
    .describe("E-mail address that is no member's, such as a team's. Its readers are asked first to confirm it."),
};

export const createAlertSubscriptionDocument = {
  name: "CreateAlertSubscription",
  type: "alert_subscription",
  attributes: z.strictObject(created),
  readOnly: readOnly(created),
} satisfies WriteDocument;

/** Absent attributes are not changed. */
export const editAlertSubscriptionDocument = {
  name: "EditAlertSubscription",
  type: "alert_subscription",
  attributes: z.strictObject(settings).partial(),
  readOnly: readOnly(settings),
} satisfies WriteDocument;
