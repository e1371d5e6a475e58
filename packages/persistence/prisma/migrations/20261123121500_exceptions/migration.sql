-- Exceptions: what an operator has to act on, found by the rules of packages/domain/src/exceptions.
CREATE TABLE "exceptions" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "priority" INTEGER NOT NULL,
    "subject_id" UUID NOT NULL,
    "shipment_id" UUID,
    "container_id" UUID,
    "tracking_request_id" UUID,
    "details" JSONB NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "resolved_at" TIMESTAMPTZ(3),
    "resolution" TEXT,
    "owner_user_id" UUID,
    "snoozed_until" TIMESTAMPTZ(3),
    "note" TEXT,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "exceptions_pkey" PRIMARY KEY ("account_id","id")
);

-- When the rules are next applied to a shipment or a tracking request.
CREATE TABLE "exception_checks" (
    "account_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "subject_type" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "exception_checks_pkey" PRIMARY KEY ("account_id","subject_id")
);

CREATE INDEX "exceptions_account_id_shipment_id_idx" ON "exceptions"("account_id", "shipment_id");
CREATE INDEX "exceptions_account_id_opened_at_id_idx" ON "exceptions"("account_id", "opened_at" DESC, "id" DESC);
CREATE INDEX "exceptions_account_id_priority_id_idx" ON "exceptions"("account_id", "priority" DESC, "id" DESC);
CREATE INDEX "exceptions_ended_at_idx" ON "exceptions"("ended_at");
CREATE INDEX "exception_checks_account_id_due_at_idx" ON "exception_checks"("account_id", "due_at");

-- Below this line: what Prisma's schema language cannot express.
-- A condition has one record for as long as it lasts, also when it is resolved by hand before it ends.
CREATE UNIQUE INDEX exceptions_current_key ON exceptions (account_id, subject_id, kind) WHERE ended_at IS NULL;
CREATE INDEX exceptions_unresolved ON exceptions (account_id, priority DESC, id DESC) WHERE resolved_at IS NULL;
ALTER TABLE exceptions
  ADD CONSTRAINT exceptions_subject_check CHECK ((shipment_id IS NULL) <> (tracking_request_id IS NULL)),
  ADD CONSTRAINT exceptions_ended_check CHECK (ended_at IS NULL OR resolved_at IS NOT NULL),
  ADD CONSTRAINT exceptions_resolution_check CHECK ((resolved_at IS NULL) = (resolution IS NULL));
-- Each check is updated whenever its shipment changes.
ALTER TABLE exception_checks SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- A change makes its check due at once, in the transaction of the change, whichever statement it is. `-infinity` is due on every
-- clock: the triggers do not know the tracking clock.
CREATE FUNCTION check_exceptions_of(account uuid, subject uuid, kind text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO exception_checks AS c (account_id, subject_id, subject_type, due_at) VALUES (account, subject, kind, '-infinity')
  ON CONFLICT (account_id, subject_id) DO UPDATE SET due_at = '-infinity' WHERE c.due_at > '-infinity'
$$;
CREATE FUNCTION check_changed_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_exceptions_of(NEW.account_id, NEW.id, 'shipment');
  RETURN NULL;
END $$;
CREATE FUNCTION check_changed_container() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_exceptions_of(NEW.account_id, NEW.shipment_id, 'shipment');
  RETURN NULL;
END $$;
-- A request replaces a failed one of the same number.
CREATE FUNCTION check_changed_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_exceptions_of(NEW.account_id, NEW.id, 'tracking_request');
  UPDATE exception_checks c SET due_at = '-infinity' FROM tracking_requests r
  WHERE TG_OP = 'INSERT' AND r.account_id = NEW.account_id AND r.normalized_number = NEW.normalized_number AND r.status = 'failed'
    AND c.account_id = r.account_id AND c.subject_id = r.id AND c.due_at > '-infinity';
  RETURN NULL;
END $$;
CREATE TRIGGER exceptions_shipment_added AFTER INSERT ON shipments FOR EACH ROW EXECUTE FUNCTION check_changed_shipment();
CREATE TRIGGER exceptions_shipment_changed AFTER UPDATE ON shipments FOR EACH ROW
  WHEN ((OLD.pod_eta_at, OLD.pod_original_eta_at, OLD.pod_ata_at, OLD.destination_eta_at, OLD.destination_original_eta_at,
      OLD.destination_ata_at, OLD.port_of_lading_id, OLD.port_of_discharge_id, OLD.pod_voyage_number, OLD.pol_etd_at,
      OLD.pol_atd_at, OLD.pod_vessel_id, OLD.line_tracking_stopped_at, OLD.subject_id)
    IS DISTINCT FROM (NEW.pod_eta_at, NEW.pod_original_eta_at, NEW.pod_ata_at, NEW.destination_eta_at,
      NEW.destination_original_eta_at, NEW.destination_ata_at, NEW.port_of_lading_id, NEW.port_of_discharge_id,
      NEW.pod_voyage_number, NEW.pol_etd_at, NEW.pol_atd_at, NEW.pod_vessel_id, NEW.line_tracking_stopped_at, NEW.subject_id))
  EXECUTE FUNCTION check_changed_shipment();
CREATE TRIGGER exceptions_container_added AFTER INSERT ON containers FOR EACH ROW EXECUTE FUNCTION check_changed_container();
CREATE TRIGGER exceptions_container_changed AFTER UPDATE ON containers FOR EACH ROW
  WHEN ((OLD.pickup_lfd, OLD.pickup_lfd_terminal, OLD.pickup_lfd_rail, OLD.pickup_lfd_line, OLD.holds_at_pod_terminal,
      OLD.fees_at_pod_terminal, OLD.pod_full_out_at, OLD.final_destination_full_out_at, OLD.empty_terminated_at, OLD.current_status)
    IS DISTINCT FROM (NEW.pickup_lfd, NEW.pickup_lfd_terminal, NEW.pickup_lfd_rail, NEW.pickup_lfd_line, NEW.holds_at_pod_terminal,
      NEW.fees_at_pod_terminal, NEW.pod_full_out_at, NEW.final_destination_full_out_at, NEW.empty_terminated_at, NEW.current_status))
  EXECUTE FUNCTION check_changed_container();
CREATE TRIGGER exceptions_request_added AFTER INSERT ON tracking_requests FOR EACH ROW EXECUTE FUNCTION check_changed_request();
CREATE TRIGGER exceptions_request_changed AFTER UPDATE ON tracking_requests FOR EACH ROW
  WHEN ((OLD.status, OLD.awaiting_manifest_since) IS DISTINCT FROM (NEW.status, NEW.awaiting_manifest_since))
  EXECUTE FUNCTION check_changed_request();

ALTER TABLE exceptions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON exceptions TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON exceptions TO svc_tenant;
ALTER TABLE exception_checks ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON exception_checks TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON exception_checks TO svc_tenant;

INSERT INTO exception_checks (account_id, subject_id, subject_type, due_at)
SELECT account_id, id, 'shipment', timestamptz '-infinity' FROM shipments WHERE line_tracking_stopped_at IS NULL
UNION ALL
SELECT account_id, id, 'tracking_request', '-infinity' FROM tracking_requests
WHERE status IN ('pending', 'awaiting_manifest') OR status = 'failed' AND updated_at > now() - interval '30 days';
