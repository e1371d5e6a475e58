-- CreateTable
CREATE TABLE "alert_subscriptions" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "user_id" UUID,
    "sealed_url" BYTEA,
    "frequency" TEXT NOT NULL,
    "hour" INTEGER,
    "weekday" INTEGER,
    "time_zone" TEXT,
    "kinds" TEXT[],
    "severities" TEXT[],
    "carriers" TEXT[],
    "customers" TEXT[],
    "tags" TEXT[],
    "minimum_amount" DOUBLE PRECISION,
    "includes_resolved" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "unsubscribe_token" TEXT NOT NULL,
    "unsubscribed_at" TIMESTAMPTZ(3),
    "next_digest_at" TIMESTAMPTZ(3),
    "last_sent_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_subscriptions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "alert_items" (
    "account_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "exception_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_items_pkey" PRIMARY KEY ("account_id","subscription_id","exception_id")
);

-- CreateTable
CREATE TABLE "alert_messages" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "content" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_messages_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "alert_subscriptions_unsubscribe_token_key" ON "alert_subscriptions"("unsubscribe_token");

-- CreateIndex
CREATE INDEX "alert_subscriptions_account_id_created_at_id_idx" ON "alert_subscriptions"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "alert_subscriptions_account_id_user_id_idx" ON "alert_subscriptions"("account_id", "user_id");

-- CreateIndex
CREATE INDEX "alert_subscriptions_next_digest_at_idx" ON "alert_subscriptions"("next_digest_at");

-- CreateIndex
CREATE INDEX "alert_items_due_at_idx" ON "alert_items"("due_at");

-- CreateIndex
CREATE INDEX "alert_messages_account_id_subscription_id_idx" ON "alert_messages"("account_id", "subscription_id");

-- CreateIndex
CREATE INDEX "alert_messages_next_attempt_at_idx" ON "alert_messages"("next_attempt_at");

-- CreateIndex
CREATE INDEX "alert_messages_created_at_idx" ON "alert_messages"("created_at");

-- AddForeignKey
ALTER TABLE "alert_subscriptions" ADD CONSTRAINT "alert_subscriptions_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "memberships"("account_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_items" ADD CONSTRAINT "alert_items_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "alert_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_messages" ADD CONSTRAINT "alert_messages_account_id_subscription_id_fkey" FOREIGN KEY ("account_id", "subscription_id") REFERENCES "alert_subscriptions"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE alert_subscriptions
  ADD CONSTRAINT alert_subscriptions_channel_check CHECK (
    channel = 'email' AND user_id IS NOT NULL AND sealed_url IS NULL
    OR channel IN ('slack', 'teams') AND user_id IS NULL AND sealed_url IS NOT NULL),
  ADD CONSTRAINT alert_subscriptions_frequency_check CHECK (
    frequency = 'at_once' AND hour IS NULL AND weekday IS NULL AND time_zone IS NULL
    OR frequency = 'daily' AND hour IS NOT NULL AND weekday IS NULL AND time_zone IS NOT NULL
    OR frequency = 'weekly' AND hour IS NOT NULL AND weekday IS NOT NULL AND time_zone IS NOT NULL);
ALTER TABLE alert_items ADD CONSTRAINT alert_items_event_check CHECK (event IN ('opened', 'resolved'));

-- Tenant isolation (docs/adr/0012).
ALTER TABLE alert_subscriptions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON alert_subscriptions TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON alert_subscriptions TO svc_tenant;
ALTER TABLE alert_items ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON alert_items TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON alert_items TO svc_tenant;
ALTER TABLE alert_messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON alert_messages TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON alert_messages TO svc_tenant;
