const columns = (alias: string): string =>
  ["bill_of_lading_number", "normalized_number", "booking_number", "ref_numbers"]
    .map((name) => `${alias}.${name}`)
    .join(", ");

/** The indexed expression of what a shipment is found by in part. */
export const shipmentSearchText = (alias: string): string => `shipment_search_text(${columns(alias)})`;

/** A LIKE pattern for texts that contain `text`, whose own wildcards mean themselves. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * The same for the trigram indexes; null for a text that they cannot look up, for which they would be read from end to end:
 * whether other characters than these are letters depends on the locale of the server.
 */
export const indexedPattern = (text: string): string | null => (/[a-z0-9]{3}/i.test(text) ? likePattern(text) : null);
