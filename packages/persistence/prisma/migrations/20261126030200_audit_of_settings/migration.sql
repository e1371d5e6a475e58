-- The audit log also has saved views, demurrage rules, custom-field definitions with their options, and applications that users connect.
CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON saved_views FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('saved_view', 'name', 'list,name,filters,sort,columns,member_user_id', '');
CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON demurrage_rules FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('demurrage_rule', 'name',
    'name,kind,direction,carrier_scac,port_locode,terminal_code,equipment_types,equipment_lengths,valid_from,valid_until,counting_start,start_offset_days,free_days,free_day_calendar,charged_day_calendar,weekend_days,holidays,currency_code,tiers', '');
CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON custom_field_definitions FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('custom_field_definition', 'display_name',
    'entity_type,api_slug,display_name,data_type,description,reference_type,validation,default_format,default_value', '');
CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON custom_field_options FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('custom_field_option', 'label', 'definition_id,label,value,position', '');

-- Grants have no id of their own: the name is that of the application, or the address of its metadata document.
CREATE FUNCTION record_application() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  present oauth_records := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  client text := present.payload ->> 'clientId';
  label text;
  scopes jsonb;
BEGIN
  SELECT payload ->> 'client_name' INTO label FROM oauth_records
  WHERE model = 'Client' AND id_sha256 = sha256(convert_to(client, 'UTF8'));
  SELECT jsonb_agg(scope ORDER BY scope) INTO scopes FROM (
    SELECT DISTINCT unnest(string_to_array(value, ' ')) AS scope FROM jsonb_each_text(present.payload -> 'resources')) AS granted;
  PERFORM write_audit_event(present.account_id, 'application.' || TG_ARGV[0], 'application', NULL, COALESCE(label, client),
    CASE WHEN scopes IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('scopes', CASE WHEN TG_OP = 'DELETE'
      THEN jsonb_build_object('from', scopes, 'to', NULL) ELSE jsonb_build_object('from', NULL, 'to', scopes) END) END);
  RETURN NULL;
END $$;
CREATE TRIGGER record_application_connected AFTER INSERT ON oauth_records FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '' AND NEW.model = 'Grant' AND NEW.account_id IS NOT NULL)
  EXECUTE FUNCTION record_application('connected');
-- The service deletes expired grants with the next record of any user.
CREATE TRIGGER record_application_disconnected AFTER DELETE ON oauth_records FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '' AND OLD.model = 'Grant' AND OLD.account_id IS NOT NULL
    AND (OLD.expires_at IS NULL OR OLD.expires_at > now()))
  EXECUTE FUNCTION record_application('disconnected');
