-- The last notified ETA of a container that arrives separately, while it differs from the stored one.
ALTER TABLE containers ADD COLUMN notified_pod_eta_at TIMESTAMPTZ(3);

-- A view has the columns that its table had when it was made.
CREATE OR REPLACE VIEW own_containers AS SELECT * FROM containers WHERE account_id = current_setting('svc.account_id')::uuid;

-- A delay of such a container is its own exception (docs/exceptions.md). Its arrival is among the columns of
-- demurrage_container_changed.
CREATE TRIGGER arrival_container_changed AFTER UPDATE ON containers FOR EACH ROW
  WHEN ((OLD.pod_eta_at, OLD.pod_original_eta_at) IS DISTINCT FROM (NEW.pod_eta_at, NEW.pod_original_eta_at))
  EXECUTE FUNCTION check_changed_container();
