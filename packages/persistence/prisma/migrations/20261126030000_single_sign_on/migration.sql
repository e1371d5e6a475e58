-- Users as OpenID Connect providers know them. Like users, they are not of one account, and not of svc_tenant.
CREATE TABLE "user_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_identities_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_identities_user_id_issuer_key" ON "user_identities"("user_id", "issuer");

-- AddForeignKey
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "user_sessions" ADD COLUMN "method" TEXT NOT NULL DEFAULT 'password';
ALTER TABLE "sign_in_challenges" ADD COLUMN "method" TEXT NOT NULL DEFAULT 'password';
ALTER TABLE "accounts" ADD COLUMN "requires_single_sign_on" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "users" ADD COLUMN "password_allowed_until" TIMESTAMPTZ(3);

-- In every account of the user. Without an actor, the user is signing in. Not of a user who is deleted.
CREATE FUNCTION record_identity() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  present user_identities := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  changed jsonb := jsonb_build_object('issuer', CASE WHEN TG_OP = 'DELETE'
    THEN jsonb_build_object('from', OLD.issuer, 'to', NULL) ELSE jsonb_build_object('from', NULL, 'to', NEW.issuer) END);
BEGIN
  IF COALESCE(current_setting('svc.actor', true), '') = '' THEN
    PERFORM set_config('svc.actor', 'user:' || present.user_id, true);
  END IF;
  PERFORM write_audit_event(m.account_id, 'user.' || TG_ARGV[0], 'user', u.id, u.email, changed)
  FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.id = present.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER record_identity_linked AFTER INSERT ON user_identities FOR EACH ROW
  EXECUTE FUNCTION record_identity('identity_linked');
CREATE TRIGGER record_identity_unlinked AFTER DELETE ON user_identities FOR EACH ROW
  EXECUTE FUNCTION record_identity('identity_unlinked');

-- As before, with the way of the sign-in when it is not the password alone.
CREATE OR REPLACE FUNCTION record_sign_in() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO audit_events (account_id, actor_type, actor_id, actor_name, action, subject_type, subject_id, subject_name, changes)
  SELECT NEW.account_id, 'user', id, email, 'user.signed_in', 'user', id, email,
    CASE WHEN NEW.method = 'password' THEN '{}'::jsonb
      ELSE jsonb_build_object('method', jsonb_build_object('from', NULL, 'to', NEW.method)) END
  FROM users WHERE id = NEW.user_id;
  RETURN NULL;
END $$;

DROP TRIGGER record_audit_event ON accounts;
CREATE TRIGGER record_audit_event AFTER UPDATE ON accounts FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('account', 'company_name', 'company_name,features,suspended_at,closed_at,requires_single_sign_on', '');
