-- The operator starts what changes no value, such as the encryption of secrets with a new key: svc.actor is "service" then.
CREATE OR REPLACE FUNCTION write_audit_event(account uuid, event text, subject text, subject_key uuid, subject_label text, changed jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  actor text := current_setting('svc.actor', true);
  kind text := split_part(actor, ':', 1);
  actor_key uuid := NULLIF(split_part(actor, ':', 2), '')::uuid;
  label text;
BEGIN
  -- The rows of a closed account are being erased.
  IF kind = 'service' OR NOT EXISTS (SELECT FROM accounts WHERE id = account AND (closed_at IS NULL OR subject = 'account')) THEN
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
