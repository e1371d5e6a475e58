/**
 * Whether the exception `x` matches the filter of the subscription `a`; needs `matchedRecords` joined. The same
 * properties as the filters of the list of exceptions.
 */
export const matchesFilter = `
  (a.kinds = '{}' OR x.kind = ANY(a.kinds))
  AND (a.severities = '{}' OR x.severity = ANY(a.severities))
  AND (a.carriers = '{}' OR COALESCE(s.shipping_line_scac, r.scac) = ANY(a.carriers))
  AND (a.tags = '{}' OR COALESCE(s.tags, r.shipment_tags) && a.tags)
  AND (a.customers = '{}' OR EXISTS (
    SELECT FROM parties customer JOIN unnest(a.customers) AS part
      ON position(lower(part) IN lower(customer.company_name)) > 0
    WHERE customer.account_id = x.account_id AND customer.id = COALESCE(s.customer_id, r.customer_id)))
  AND (a.minimum_amount IS NULL OR EXISTS (
    SELECT FROM jsonb_to_recordset(COALESCE(x.details->'amounts', '[]')) AS charged(amount float8)
    WHERE charged.amount >= a.minimum_amount))`;

/** The records of the exception `x` that a filter and a message need. */
export const matchedRecords = `
  LEFT JOIN containers c ON c.account_id = x.account_id AND c.id = x.container_id
  LEFT JOIN shipments s ON s.account_id = x.account_id AND s.id = x.shipment_id
  LEFT JOIN tracking_requests r ON r.account_id = x.account_id AND r.id = x.tracking_request_id`;
