-- Who a shared row comes from: "core" (the operator's reference data), "carrier" (a reply of a carrier of the service), or
-- "account" (an import or a push of one account, which names nothing for others).
ALTER TABLE metro_areas ADD COLUMN source text NOT NULL DEFAULT 'carrier';
ALTER TABLE vessels ADD COLUMN source text NOT NULL DEFAULT 'carrier';
