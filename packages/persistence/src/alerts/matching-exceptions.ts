import { overviewStatus } from "../overviews/overview-tables.ts";
import { hasPartSql } from "../search/without-accents.ts";
import { callsAt } from "../shipments/shipment-filters.ts";

const isOwner = `
  CASE v.filters->>'owner'
    WHEN 'none' THEN x.owner_user_id IS NULL
    WHEN 'me' THEN x.owner_user_id = COALESCE(a.user_id, v.member_user_id)
    ELSE true END`;

const callsAtPort = callsAt(`ARRAY(
  SELECT id FROM ports WHERE locode = v.filters->>'port'
  UNION SELECT port_id FROM port_aliases WHERE locode = v.filters->>'port'
  UNION SELECT id FROM metro_areas WHERE locode = v.filters->>'port')`);

/**
 * Whether the exception matches the view, as the lists of shipments and exceptions filter by it
 * (packages/domain/src/saved-views). The status of exceptions is that of the alert. Views with other filters cannot be
 * chosen (`alertFilterProblem`).
 */
const matchesView = `
  CASE v.list
    WHEN 'exceptions' THEN COALESCE(x.kind = v.filters->>'kind', true) AND ${isOwner}
    WHEN 'shipments' THEN s.id IS NOT NULL
      AND COALESCE(${overviewStatus} = v.filters->>'status', true)
      AND COALESCE(s.shipping_line_scac = v.filters->>'carrier', true)
      AND COALESCE(v.filters->>'tag' = ANY(s.tags), true)
      AND COALESCE((s.line_tracking_stopped_at IS NOT NULL) = (v.filters->>'tracking' = 'stopped'), true)
      AND (v.filters->>'customer' IS NULL OR EXISTS (
        SELECT FROM parties named WHERE named.account_id = s.account_id AND named.id = s.customer_id
          AND ${hasPartSql("named.company_name", "v.filters->>'customer'")}))
      AND (v.filters->>'customer_name' IS NULL OR EXISTS (
        SELECT FROM parties named WHERE named.account_id = s.account_id AND named.id = s.customer_id
          AND lower(named.company_name) = lower(v.filters->>'customer_name')))
      AND (v.filters->>'port' IS NULL OR ${callsAtPort})
    ELSE false END`;

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
      ON ${hasPartSql("customer.company_name", "part")}
    WHERE customer.account_id = x.account_id AND customer.id = COALESCE(s.customer_id, r.customer_id)))
  AND (a.saved_view_id IS NULL OR EXISTS (
    SELECT FROM saved_views v WHERE v.account_id = a.account_id AND v.id = a.saved_view_id AND ${matchesView}))
  AND (a.minimum_amount IS NULL OR EXISTS (
    SELECT FROM jsonb_to_recordset(COALESCE(x.details->'amounts', '[]')) AS charged(amount float8, "currencyCode" text)
    WHERE charged.amount >= a.minimum_amount
      AND COALESCE(charged."currencyCode" = a.minimum_amount_currency, a.minimum_amount_currency IS NULL)))`;

/** The records of the exception `x` that a filter and a message need. */
export const matchedRecords = `
  LEFT JOIN containers c ON c.account_id = x.account_id AND c.id = x.container_id
  LEFT JOIN shipments s ON s.account_id = x.account_id AND s.id = x.shipment_id
  LEFT JOIN tracking_requests r ON r.account_id = x.account_id AND r.id = x.tracking_request_id`;
