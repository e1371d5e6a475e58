/** Shipments of an account that are searched for a part first. More than a list page ever shows, and read in a millisecond. */
export const newestShipments = 1_000;

/** The account ($1) as search_texts knows its newest shipments, in their order. */
export const newestTexts = `(
  SELECT t.shipment_created_at, t.shipment_id, t.names, t.container_numbers FROM own_search_texts t WHERE t.account_id = $1
  ORDER BY t.shipment_created_at DESC, t.shipment_id DESC LIMIT ${newestShipments})`;

/** A LIKE pattern for texts that contain `text`, whose own wildcards mean themselves. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * The same for the trigram indexes; null for a text that they cannot look up, for which they would be read from end to end:
 * whether other characters than these are letters depends on the locale of the server.
 */
export const indexedPattern = (text: string): string | null => (/[a-z0-9]{3}/i.test(text) ? likePattern(text) : null);
