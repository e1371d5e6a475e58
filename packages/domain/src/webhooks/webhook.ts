import type { Instant } from "../instant.ts";

export interface WebhookHeader {
  readonly name: string;
  readonly value: string;
}

/** A subscriber's endpoint (reference-contract.md 2.6). The secret is shown to its account and sealed at rest. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly active: boolean;
  readonly secret: string;
  readonly headers: readonly WebhookHeader[];
  readonly deactivatedAt: Instant | null;
  readonly deactivatedReason: string | null;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
