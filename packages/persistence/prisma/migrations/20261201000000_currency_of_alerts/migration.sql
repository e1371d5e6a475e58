-- AlterTable
ALTER TABLE "alert_subscriptions" ADD COLUMN "minimum_amount_currency" TEXT;

-- The saved view of an alert was missing from its audit events.
CREATE OR REPLACE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON alert_subscriptions FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('alert_subscription', 'name',
    'name,channel,frequency,hour,weekday,time_zone,kinds,severities,carriers,customers,tags,saved_view_id,minimum_amount,minimum_amount_currency,includes_resolved,active',
    'sealed_url');
