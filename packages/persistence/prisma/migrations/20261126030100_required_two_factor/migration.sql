-- Members without a second factor set it up before they do anything else in the account.
ALTER TABLE "accounts" ADD COLUMN "requires_two_factor" BOOLEAN NOT NULL DEFAULT false;

DROP TRIGGER record_audit_event ON accounts;
CREATE TRIGGER record_audit_event AFTER UPDATE ON accounts FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('account', 'company_name',
    'company_name,features,suspended_at,closed_at,requires_single_sign_on,requires_two_factor', '');
