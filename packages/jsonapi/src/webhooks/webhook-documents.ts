import { isSubscription, rateLimitMax, unsentEventNames, webhookEventNames } from "@svc/domain/webhooks";
import { z } from "zod";
import { text, writtenTime } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

const url = text(2_000).describe("HTTPS URL that receives the notifications.");

const events = z
  .array(
    z
      .string()
      .refine(
        isSubscription,
        "must be an event name (see GET /webhooks/events), a family such as container.transport.*, or *",
      ),
  )
  .min(1)
  .max(webhookEventNames.length + unsentEventNames.length)
  .meta({ uniqueItems: true })
  .refine((names) => new Set(names).size === names.length, "must be unique");

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
/** Headers set by the delivery or the connection. */
const reservedNames =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|keep-alive|expect|proxy-.*|user-agent|accept-encoding|traceparent|webhook-.*|x-svc-.*)$/i;

const headers = z
  .array(
    z.strictObject({
      name: z
        .string()
        .regex(headerName)
        .refine((name) => !reservedNames.test(name), "is reserved for the delivery"),
      value: z.string().regex(/^[\x20-\x7e]{0,1000}$/),
    }),
  )
  .max(20)
  .refine((list) => new Set(list.map(({ name }) => name.toLowerCase())).size === list.length, "must have unique names")
  .describe("Headers sent with every delivery. Names are capitalised.");

const paused = z.boolean().describe("Whether deliveries are held back; false resumes them.");

const rateLimit = z
  .number()
  .int()
  .min(1)
  .max(rateLimitMax)
  .nullable()
  .describe("Maximum number of deliveries per second. Null: no limit.");

/**
 * docs/contract/reference.md 1.7. The operation also checks the URL against the egress policy.
 */
export const createWebhookDocument = {
  name: "CreateWebhook",
  type: "webhook",
  attributes: z.strictObject({
    url,
    active: z.boolean(),
    events: events
      .nullish()
      .describe("Names of subscribed events. Null or absent: every event that the account can receive."),
    headers: headers.nullish(),
    paused: paused.optional(),
    rate_limit: rateLimit.optional(),
  }),
  readOnly: attributeNames("webhook"),
} satisfies WriteDocument;

/** docs/contract/specification.md webhooks.edit. Absent attributes are not changed. */
export const editWebhookDocument = {
  name: "EditWebhook",
  type: "webhook",
  attributes: createWebhookDocument.attributes.extend({ events, headers }).partial(),
  readOnly: attributeNames("webhook"),
} satisfies WriteDocument;

/** `x-api-key` is `X-Api-Key` (docs/contract/reference.md 1.7). */
export function capitalizeHeaderName(name: string): string {
  return name.toLowerCase().replace(/(^|-)([a-z])/g, (letters) => letters.toUpperCase());
}

/** docs/contract/decisions.md 3, Redeliver: not a JSON:API document. */
export const recoverBody = z.strictObject({
  since: writtenTime.describe("Created at or after this time."),
  until: writtenTime.optional().describe("Created at or before this time. Default: now."),
  only: z.enum(["failed", "all"]).optional().describe("Which notifications to recover. Default: failed."),
});

export const RecoverResult = z.object({ recovered: z.number().int() }).meta({ id: "RecoverResult" });
