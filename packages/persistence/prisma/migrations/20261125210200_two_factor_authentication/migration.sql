-- Two-factor authentication of users. Like users, these tables are not of one account, and not of svc_tenant.
CREATE TABLE "user_totp" (
    "user_id" UUID NOT NULL,
    "sealed_secret" BYTEA NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_totp_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "user_id" UUID NOT NULL,
    "code_sha256" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id","code_sha256")
);

-- CreateTable
CREATE TABLE "sign_in_challenges" (
    "token_sha256" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_challenges_pkey" PRIMARY KEY ("token_sha256")
);

-- CreateIndex
CREATE INDEX "sign_in_challenges_user_id_idx" ON "sign_in_challenges"("user_id");

-- AddForeignKey
ALTER TABLE "user_totp" ADD CONSTRAINT "user_totp_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_totp"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- In every account of the user. Without an actor, the user is signing in. Not of a user who is deleted.
CREATE FUNCTION record_second_factor() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  subject_key uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
BEGIN
  IF COALESCE(current_setting('svc.actor', true), '') = '' THEN
    PERFORM set_config('svc.actor', 'user:' || subject_key, true);
  END IF;
  PERFORM write_audit_event(m.account_id, 'user.' || TG_ARGV[0], 'user', u.id, u.email, '{}')
  FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.id = subject_key;
  RETURN NULL;
END $$;
CREATE TRIGGER record_totp_enabled AFTER UPDATE OF confirmed_at ON user_totp FOR EACH ROW
  WHEN (OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL) EXECUTE FUNCTION record_second_factor('totp_enabled');
CREATE TRIGGER record_totp_disabled AFTER DELETE ON user_totp FOR EACH ROW
  WHEN (OLD.confirmed_at IS NOT NULL) EXECUTE FUNCTION record_second_factor('totp_disabled');
CREATE TRIGGER record_recovery_code_used AFTER UPDATE OF used_at ON recovery_codes FOR EACH ROW
  WHEN (OLD.used_at IS NULL AND NEW.used_at IS NOT NULL) EXECUTE FUNCTION record_second_factor('recovery_code_used');
