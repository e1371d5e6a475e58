import type { Instant } from "@svc/domain";
import { type ShareLink, shareLinkStatus, shareLinkStatuses } from "@svc/domain/share-links";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne } from "../resource.ts";

/** A read-only public page of one shipment (docs/sharing.md). */
export const ShareLinkResource = resourceObject(
  "share_link",
  {
    url: z
      .url()
      .nullable()
      .describe(
        "Address of the page, which needs no login. Null once the link is revoked, and for a caller without the scope `write` or the role operator.",
      ),
    shipment_number: z.string().describe("Bill of lading number of the shipment."),
    status: z.enum(shareLinkStatuses).describe("Status of the link; only an active one opens its page."),
    shows_references: z.boolean(),
    shows_fees: z.boolean(),
    expires_at: dateTime.nullable().describe("Time at which the link expires. Null: valid until it is revoked."),
    revoked_at: dateTime.nullable(),
    last_opened_at: dateTime.nullable(),
    opened_count: z.int().min(0).describe("Number of views, counted at most once a minute."),
    created_by: z.string().nullable().describe("E-mail address of the member who created it."),
    created_at: dateTime,
  },
  { shipment: toOne("shipment") },
).meta({ id: "ShareLink" });

export type ShareLinkResource = z.infer<typeof ShareLinkResource>;

export interface ShareLinkContext {
  /** Base address of the API. */
  readonly baseUrl: string;
  /** Address of the web application, which serves the page. */
  readonly appUrl: string;
  /** Includes the address, which opens the page without a login. */
  readonly showsSecrets: boolean;
  /** E-mail address of the member whose id the link has. */
  readonly creatorEmail: string | null;
  /** Real time. */
  readonly now: Instant;
}

export function shareLinkResource(
  link: ShareLink,
  { baseUrl, appUrl, showsSecrets, creatorEmail, now }: ShareLinkContext,
): ShareLinkResource {
  const { id, token } = link;
  return {
    id,
    type: "share_link",
    attributes: {
      url: showsSecrets && token !== null ? `${appUrl}/share/${token}` : null,
      shipment_number: link.shipmentNumber,
      status: shareLinkStatus(link, now),
      shows_references: link.showsReferences,
      shows_fees: link.showsFees,
      expires_at: link.expiresAt,
      revoked_at: link.revokedAt,
      last_opened_at: link.lastOpenedAt,
      opened_count: link.openedCount,
      created_by: creatorEmail,
      created_at: link.createdAt,
    },
    relationships: { shipment: linkage("shipment", link.shipmentId) },
    links: { self: `${baseUrl}/share_links/${id}` },
  };
}
