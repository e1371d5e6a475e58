import type { InferableCarrier } from "@svc/domain/identifiers";
import type { ShippingLine } from "@svc/domain/reference-data";
import type { Sql, Statement } from "../sql.ts";

/** A shipping line with the formats of its numbers. */
export interface CatalogueLine extends ShippingLine, InferableCarrier {}

/** The tracking worker registers the carriers to which the service has access. */
export const serviceConnected = (scac: string): string =>
  `EXISTS (SELECT 1 FROM carrier_access a WHERE a.credential = ${scac} AND a.account_id IS NULL)`;

const allLines: Statement = {
  name: "shipping-lines.catalogue",
  text: `
    SELECT id, scac, name, short_name AS "shortName", alternative_scacs AS "alternativeScacs",
      bill_of_lading_tracking_support AS "billOfLadingTrackingSupport",
      booking_number_tracking_support AS "bookingNumberTrackingSupport",
      container_number_tracking_support AS "containerNumberTrackingSupport",
      bill_of_lading_patterns AS "billOfLadingPatterns", container_prefixes AS "containerPrefixes",
      query_form AS "queryForm", ${serviceConnected("shipping_lines.scac")} AS "serviceConnected"
    FROM shipping_lines ORDER BY scac`,
};

/** All shipping lines, ordered by SCAC. */
export function readShippingLineCatalogue(sql: Sql): Promise<CatalogueLine[]> {
  return sql.rows<CatalogueLine>(allLines, []);
}
