-- Links that replace a lost password, and mails about the sign-in. Like users, they are not of one account, and not of svc_tenant.
CREATE TABLE "password_resets" (
    "user_id" UUID NOT NULL,
    "token_sha256" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_resets_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "sign_in_mails" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "email" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "password_resets_token_sha256_key" ON "password_resets"("token_sha256");

-- CreateIndex
CREATE INDEX "sign_in_mails_next_attempt_at_idx" ON "sign_in_mails"("next_attempt_at");

-- AddForeignKey
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE sign_in_mails ADD CONSTRAINT sign_in_mails_kind_check CHECK (kind IN ('password_reset', 'password_changed'));

-- In every account of the user. Who asks for a link is not signed in, unless the operator does.
CREATE FUNCTION record_password_reset() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO audit_events (account_id, actor_type, action, subject_type, subject_id, subject_name)
  SELECT m.account_id, CASE WHEN current_setting('svc.actor', true) = 'operator' THEN 'operator' ELSE 'unknown' END,
    'user.password_reset_requested', 'user', u.id, u.email
  FROM users u JOIN memberships m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id AND a.closed_at IS NULL
  WHERE u.id = NEW.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER record_password_reset AFTER INSERT OR UPDATE ON password_resets FOR EACH ROW
  EXECUTE FUNCTION record_password_reset();
