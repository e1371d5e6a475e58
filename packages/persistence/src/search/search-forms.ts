const columns = (alias: string): string =>
  ["bill_of_lading_number", "normalized_number", "booking_number", "ref_numbers"]
    .map((name) => `${alias}.${name}`)
    .join(", ");

/** The indexed expression of what a shipment is found by exactly. */
export const shipmentKeys = (alias: string): string => `shipment_keys(${columns(alias)})`;

/** The indexed expression of what a shipment is found by in part. */
export const shipmentSearchText = (alias: string): string => `shipment_search_text(${columns(alias)})`;

/** Shorter texts have no trigrams. */
export const shortestIndexed = 3;

/** A LIKE pattern for texts that contain `text`, whose own wildcards mean themselves. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
