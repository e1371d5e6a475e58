import { plural } from "@svc/domain";
import type { TrackingSummaryResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { noticeBanner } from "../pages/notice-banner.ts";

type RelatedShipment = TrackingSummaryResource["attributes"]["related_shipments"][number];

/** Maximum number of shipments to list; more are only mentioned. */
const relatedMax = 5;
const referencesMax = 3;

/**
 * Lists other shipments with the same reference, because a reader who searched for it may want one of them.
 * `related`: newest first, one more than is shown when there are more.
 */
export function relatedShipmentsNote(related: readonly RelatedShipment[]): Html | null {
  if (related.length === 0) return null;
  const listed = related.slice(0, relatedMax);
  const count = related.length > relatedMax ? `More than ${relatedMax}` : String(related.length);
  const references = [...new Set(listed.flatMap((one) => one.shared_ref_numbers))];
  const [only = ""] = references;
  const what = references.length === 1 ? only : "a reference of this one";
  const link = ({ id, bill_of_lading_number: number }: RelatedShipment, index: number) =>
    html`${index > 0 && ", "}<a class="number" href="/shipments/${id}">${number}</a>`;
  const search = (reference: string, index: number) =>
    html`${index > 0 && ", "}<a href="/shipments?q=${encodeURIComponent(reference.toWellFormed())}">${reference}</a>`;
  return noticeBanner(
    "neutral",
    html`${count} other ${plural(related.length, "shipment shares", "shipments share")} ${what}:
      ${listed.map(link)}.
      Search for ${references.slice(0, referencesMax).map(search)}.`,
  );
}
