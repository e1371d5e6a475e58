-- Which paid features an account has is asked when a change made through the API is told to its webhooks: its own, and no more
-- of the row than that (docs/adr/0012).
ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON accounts TO svc_tenant USING (id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT (id, features) ON accounts TO svc_tenant;
