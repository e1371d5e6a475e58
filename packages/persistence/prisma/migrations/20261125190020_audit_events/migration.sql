-- CreateTable
CREATE TABLE "audit_events" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT,
    "action" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" UUID,
    "subject_name" TEXT,
    "changes" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "audit_events_account_id_created_at_id_idx" ON "audit_events"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_account_id_subject_id_created_at_id_idx" ON "audit_events"("account_id", "subject_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_created_at_idx" ON "audit_events"("created_at");

ALTER TABLE audit_events ADD CONSTRAINT audit_events_actor_check CHECK (
  actor_type IN ('user', 'api_token') AND actor_id IS NOT NULL OR actor_type IN ('operator', 'unknown') AND actor_id IS NULL);

-- The service reads the log and cannot change it: triggers write it, with the rights of the owner.
ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON audit_events TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT ON audit_events TO svc_tenant;

-- svc.actor is "user:<id>", "api_token:<id>" or "operator".
CREATE FUNCTION write_audit_event(account uuid, event text, subject text, subject_key uuid, subject_label text, changed jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  actor text := current_setting('svc.actor', true);
  kind text := split_part(actor, ':', 1);
  actor_key uuid := NULLIF(split_part(actor, ':', 2), '')::uuid;
  label text;
BEGIN
  -- The rows of a closed account are being erased.
  IF NOT EXISTS (SELECT FROM accounts WHERE id = account AND (closed_at IS NULL OR subject = 'account')) THEN
    RETURN;
  END IF;
  IF kind = 'user' THEN
    SELECT email INTO label FROM users WHERE id = actor_key;
  ELSIF kind = 'api_token' THEN
    SELECT name INTO label FROM api_tokens WHERE id = actor_key;
  END IF;
  INSERT INTO audit_events (account_id, actor_type, actor_id, actor_name, action, subject_type, subject_id, subject_name, changes)
  VALUES (account, kind, actor_key, label, event, subject, subject_key, subject_label, changed);
END $$;

REVOKE ALL ON FUNCTION write_audit_event FROM PUBLIC;

-- Arguments: the subject, the column of its name, the columns to record, those of secrets, of which only the change is recorded, and
-- an end that is an update: the column and the verb.
CREATE FUNCTION record_audit_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  old_row jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}'::jsonb ELSE to_jsonb(OLD) END;
  new_row jsonb := CASE WHEN TG_OP = 'DELETE' THEN '{}'::jsonb ELSE to_jsonb(NEW) END;
  present jsonb := CASE WHEN TG_OP = 'DELETE' THEN old_row ELSE new_row END;
  subject text := TG_ARGV[0];
  verb text := CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'DELETE' THEN 'deleted' ELSE 'updated' END;
  account uuid;
  subject_key uuid;
  label text := present ->> TG_ARGV[1];
  changed jsonb;
  empty jsonb[] := ARRAY['null', '[]', '{}']::jsonb[];
BEGIN
  IF subject = 'account' THEN
    account := (present ->> 'id')::uuid;
    subject_key := account;
  ELSIF subject = 'member' THEN
    account := (present ->> 'account_id')::uuid;
    subject_key := (present ->> 'user_id')::uuid;
    SELECT email INTO label FROM users WHERE id = subject_key;
  ELSE
    account := (present ->> 'account_id')::uuid;
    subject_key := (present ->> 'id')::uuid;
    IF subject = 'share_link' THEN
      SELECT bill_of_lading_number INTO label FROM shipments
      WHERE account_id = account AND id = (present ->> 'shipment_id')::uuid;
    END IF;
  END IF;
  SELECT COALESCE(jsonb_object_agg(name, jsonb_build_object('from', before, 'to', after)), '{}') INTO changed
  FROM (
    SELECT name, COALESCE(old_row -> name, 'null') AS before, COALESCE(new_row -> name, 'null') AS after
    FROM unnest(string_to_array(TG_ARGV[2], ',')) AS name) AS shown
  WHERE before IS DISTINCT FROM after AND NOT (before = ANY (empty) AND after = ANY (empty));
  IF TG_OP = 'UPDATE' THEN
    SELECT changed || COALESCE(jsonb_object_agg(regexp_replace(name, '^sealed_', ''), '{"is_secret": true}'::jsonb), '{}') INTO changed
    FROM unnest(string_to_array(TG_ARGV[3], ',')) AS name WHERE old_row -> name IS DISTINCT FROM new_row -> name;
    IF TG_NARGS > 4 AND old_row -> TG_ARGV[4] = 'null' AND new_row -> TG_ARGV[4] <> 'null' THEN
      verb := TG_ARGV[5];
      changed := changed - 'secret' - 'token';
    ELSIF changed = '{}' THEN
      RETURN NULL;
    ELSIF changed ? 'secret' AND subject = 'webhook' THEN
      verb := 'secret_rotated';
    END IF;
  END IF;
  PERFORM write_audit_event(account, subject || '.' || verb, subject, subject_key, label, changed);
  -- Before a deletion, so that the user who is deleted with it can still be named; ignored after other changes.
  RETURN OLD;
END $$;

CREATE TRIGGER record_audit_event AFTER UPDATE ON accounts FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('account', 'company_name', 'company_name,features,suspended_at,closed_at', '');
CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE ON memberships FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '') EXECUTE FUNCTION record_audit_event('member', '', 'role', '');
CREATE TRIGGER record_audit_event_of_removal BEFORE DELETE ON memberships FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '') EXECUTE FUNCTION record_audit_event('member', '', 'role', '');
CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON invitations FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('invitation', 'email', 'role,expires_at', '');
-- Access tokens of applications come and go by the hour.
CREATE TRIGGER record_audit_event AFTER INSERT ON api_tokens FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '' AND NEW.oauth_grant_id IS NULL)
  EXECUTE FUNCTION record_audit_event('api_token', 'name', 'scopes,role,expires_at', '');
CREATE TRIGGER record_audit_event_of_update AFTER UPDATE OF name, scopes, role, expires_at, revoked_at ON api_tokens FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '' AND NEW.oauth_grant_id IS NULL)
  EXECUTE FUNCTION record_audit_event('api_token', 'name', 'name,scopes,role,expires_at', '', 'revoked_at', 'revoked');
CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE ON webhooks FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('webhook', 'url', 'url,events,active,paused,rate_limit', 'sealed_secret,sealed_headers', 'deleted_at', 'deleted');
CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON carrier_connections FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('carrier_connection', 'scac', 'credential_kind,active', 'sealed_credentials,sealed_push_secret');
CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON share_links FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('share_link', '', 'shows_references,shows_fees,expires_at', '', 'revoked_at', 'revoked');
CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON alert_subscriptions FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('alert_subscription', 'name',
    'name,channel,frequency,hour,weekday,time_zone,kinds,severities,carriers,customers,tags,minimum_amount,includes_resolved,active', 'sealed_url');
CREATE TRIGGER record_audit_event AFTER UPDATE OR DELETE ON shipments FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('shipment', 'bill_of_lading_number', 'ref_numbers,tags,customer_id,line_tracking_stopped_reason,line_tracking_resumed_at', '');
CREATE TRIGGER record_audit_event AFTER UPDATE ON containers FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('container', 'number', 'ref_numbers', '');
CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON tracking_requests FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('tracking_request', 'request_number', 'request_type,scac,ref_numbers,shipment_tags,customer_id', '');
CREATE TRIGGER record_audit_event AFTER UPDATE ON exceptions FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('exception', 'kind', 'owner_user_id,snoozed_until,resolved_at,note', '');

-- The user who signs in is the actor. The session is written by the sign-in itself.
CREATE FUNCTION record_sign_in() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO audit_events (account_id, actor_type, actor_id, actor_name, action, subject_type, subject_id, subject_name)
  SELECT NEW.account_id, 'user', id, email, 'user.signed_in', 'user', id, email FROM users WHERE id = NEW.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER record_sign_in AFTER INSERT ON user_sessions FOR EACH ROW EXECUTE FUNCTION record_sign_in();

-- In every account of the user. Without an actor, the user has a link that replaces a forgotten password.
CREATE FUNCTION record_password_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  IF COALESCE(current_setting('svc.actor', true), '') = '' THEN
    PERFORM set_config('svc.actor', 'user:' || NEW.id, true);
  END IF;
  PERFORM write_audit_event(account_id, 'user.password_changed', 'user', NEW.id, NEW.email, '{"password": {"is_secret": true}}')
  FROM memberships WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER record_password_change AFTER UPDATE OF password_hash ON users FOR EACH ROW
  WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash) EXECUTE FUNCTION record_password_change();
