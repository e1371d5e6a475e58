import { type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import { type CreateOptions, type Reader, type ReadOptions, segment } from "./reader.ts";
import { shareLinkKind } from "./record-kinds.ts";

/** Several values of one filter mean any of them; several filters mean all of them. */
export interface ShareLinkFilters {
  readonly shipment?: FilterValue;
  /** active, expired or revoked. */
  readonly status?: FilterValue;
}

export type ShareLinkParameters = PageParameters & { readonly filter?: ShareLinkFilters | undefined };

export interface NewShareLink {
  /** Reference numbers of the shipment and its containers. */
  readonly showsReferences?: boolean | undefined;
  /** Fees at the terminal. */
  readonly showsFees?: boolean | undefined;
  /** Time of expiry, by default in 30 days. Null: valid until revoked. */
  readonly expiresAt?: string | Date | null | undefined;
}

/** Read-only public pages of shipments, which need no login. */
export function shareLinksResource<F extends Format>(reader: Reader<F>) {
  const path = (id: string) => `/share_links/${segment(id)}`;
  return {
    list<G extends Format = F>(parameters: ShareLinkParameters = {}, options?: ReadOptions<G>) {
      return reader.list(shareLinkKind, "/share_links", filterQuery({ ...parameters.filter }), parameters, options);
    },
    iterate<G extends Format = F>(parameters: Omit<ShareLinkParameters, "page"> = {}, options?: ReadOptions<G>) {
      return reader.iterate(shareLinkKind, "/share_links", filterQuery({ ...parameters.filter }), parameters, options);
    },
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(shareLinkKind, { method: "GET", path: path(id) }, options);
    },
    /** `url` of the response is the address of the page, which opens it without a login. */
    create<G extends Format = F>(shipmentId: string, link: NewShareLink = {}, options?: CreateOptions<G>) {
      const { showsReferences, showsFees, expiresAt } = link;
      const attributes = {
        shows_references: showsReferences,
        shows_fees: showsFees,
        expires_at: expiresAt instanceof Date ? expiresAt.toISOString() : expiresAt,
      };
      const request = {
        method: "POST",
        path: `/shipments/${segment(shipmentId)}/share_links`,
        body: { data: { type: "share_link", attributes } },
      } as const;
      return reader.one(shareLinkKind, request, options);
    },
    /** Revokes the link, which closes its page at once. */
    async revoke(id: string, options?: CallOptions): Promise<void> {
      await reader.send({ method: "DELETE", path: path(id), options });
    },
  };
}
