import { type Webhook, webhookFields } from "@svc/domain/webhooks";
import { z } from "zod";
import { attribute, omitted, wireAttributes } from "../records/wire-attributes.ts";
import { resourceObject } from "../resource.ts";

const attributes = wireAttributes(webhookFields, {
  id: omitted,
  secret: {
    secret: attribute(
      z
        .string()
        .nullable()
        .describe(
          "Signing key created by the service; null for a caller without the scope `write` or the role developer.",
        ),
      ({ secret }) => secret,
    ),
  },
  headers: {
    headers: attribute(
      z
        .array(z.object({ name: z.string(), value: z.string().nullable() }))
        .describe(
          "Headers sent with every delivery. Values are null for a caller without the scope `write` or the role developer.",
        ),
      ({ headers }) => headers.map(({ name, value }) => ({ name, value })),
    ),
  },
  rowVersion: omitted,
  updatedAt: omitted,
});

export const WebhookResource = resourceObject("webhook", attributes.shape, {})
  .omit({ relationships: true })
  .meta({ id: "Webhook" });

export type WebhookResource = z.infer<typeof WebhookResource>;

/** @param showsSecrets includes signing key and header values, with which a reader could impersonate the service. */
export function webhookResource(
  webhook: Webhook,
  baseUrl: string,
  { showsSecrets }: { readonly showsSecrets: boolean },
): WebhookResource {
  const fullAttributes = attributes.of(webhook);
  const headers = fullAttributes.headers.map(({ name }) => ({ name, value: null }));
  return {
    id: webhook.id,
    type: "webhook",
    attributes: showsSecrets ? fullAttributes : { ...fullAttributes, secret: null, headers },
    links: { self: `${baseUrl}/webhooks/${webhook.id}` },
  };
}
