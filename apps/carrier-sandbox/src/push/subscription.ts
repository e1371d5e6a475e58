import { z } from "zod";
import { eventTypes } from "../dcsa/event-schema.ts";
import type { Fact } from "../voyage/fact.ts";

const reference = z
  .string()
  .min(1)
  .max(100)
  .transform((text) => text.trim().toUpperCase());

const secret = z.string().refine((text) => {
  const { length } = Buffer.from(text, "base64");
  return length >= 32 && length <= 64;
}, "must be 32 to 64 bytes in base64");

/** The body of a DCSA 2.2 event subscription. An absent filter admits every event. */
export const SubscriptionBody = z.strictObject({
  callbackUrl: z.url({ protocol: /^https?$/ }),
  secret,
  eventType: z.array(z.enum(eventTypes)).min(1).optional(),
  transportDocumentReference: reference.optional(),
  carrierBookingReference: reference.optional(),
  equipmentReference: reference.optional(),
});

/** An edit keeps the secret, which has an operation of its own. */
export const SubscriptionEdit = SubscriptionBody.omit({ secret: true });
export const SecretBody = z.strictObject({ secret });

export interface Subscription extends z.output<typeof SubscriptionBody> {
  readonly subscriptionID: string;
  /** Events published until then were pushed or are older than the subscription; simulated epoch milliseconds. */
  readonly pushedUntil: number;
}

/** The representation in responses, without the secret. */
export function subscriptionView({ secret: _, pushedUntil: __, ...shown }: Subscription): object {
  return shown;
}

const plain = (number: string): string => number.replace(/^SBXL/, "");

export function admits(subscription: Subscription, fact: Fact): boolean {
  const { eventType, transportDocumentReference, carrierBookingReference, equipmentReference } = subscription;
  if (eventType && !eventType.includes(fact.event.eventType)) return false;
  if (transportDocumentReference && plain(transportDocumentReference) !== fact.billOfLading) return false;
  if (carrierBookingReference && plain(carrierBookingReference) !== fact.booking) return false;
  return equipmentReference === undefined || fact.containers.includes(equipmentReference);
}
