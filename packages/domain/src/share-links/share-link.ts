import type { Instant } from "../instant.ts";

export const shareLinkStatuses = ["active", "expired", "revoked"] as const;
export type ShareLinkStatus = (typeof shareLinkStatuses)[number];

/** Content that the public page of a shipment shows in addition to its progress. */
export interface SharedContent {
  readonly showsReferences: boolean;
  readonly showsFees: boolean;
}

/** A read-only public page of one shipment (docs/sharing.md). All times are real times. */
export interface ShareLink extends SharedContent {
  readonly id: string;
  readonly shipmentId: string;
  /** Bill of lading number of the shipment. */
  readonly shipmentNumber: string;
  /** The secret in its address. Null once the link is revoked. */
  readonly token: string | null;
  /** Null when an API token without a user created it. */
  readonly createdByUserId: string | null;
  /** Null: valid until it is revoked. */
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly lastOpenedAt: Instant | null;
  /** Number of views, counted at most once a minute. */
  readonly openedCount: number;
  readonly rowVersion: number;
  readonly createdAt: Instant;
}

/** The link opens its page only while it is active. */
export function shareLinkStatus(
  { revokedAt, expiresAt }: Pick<ShareLink, "revokedAt" | "expiresAt">,
  now: Instant,
): ShareLinkStatus {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "active";
}
