ALTER TABLE "user_sessions"
  ADD COLUMN "issuer" TEXT,
  ADD COLUMN "subject" TEXT,
  ADD COLUMN "provider_session" TEXT;
ALTER TABLE "sign_in_challenges"
  ADD COLUMN "issuer" TEXT,
  ADD COLUMN "subject" TEXT,
  ADD COLUMN "provider_session" TEXT;

-- Of no account, like users, and not of svc_tenant.
CREATE TABLE "used_logout_tokens" (
    "key_sha256" BYTEA NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_logout_tokens_pkey" PRIMARY KEY ("key_sha256")
);
