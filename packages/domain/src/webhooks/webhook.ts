import type { Instant } from "../instant.ts";
import type { NoticeKind } from "./webhook-notice.ts";

export interface WebhookHeader {
  readonly name: string;
  readonly value: string;
}

/** A subscriber's endpoint (docs/contract/reference.md 2.6). The secret is shown to its account and sealed at rest. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly active: boolean;
  /** Notifications are held and sent when the webhook is resumed. */
  readonly paused: boolean;
  /** Maximum deliveries per second; null: unlimited. */
  readonly rateLimit: number | null;
  readonly secret: string;
  readonly headers: readonly WebhookHeader[];
  /** The first failure since the last success; null while healthy. */
  readonly failingSince: Instant | null;
  readonly lastNotice: NoticeKind | null;
  readonly lastNoticeAt: Instant | null;
  readonly deactivatedAt: Instant | null;
  readonly deactivatedReason: string | null;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
