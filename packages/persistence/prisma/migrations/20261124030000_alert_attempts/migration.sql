-- AlterTable
ALTER TABLE "alert_subscriptions" ADD COLUMN "last_attempt_at" TIMESTAMPTZ(3);

UPDATE alert_subscriptions SET last_attempt_at = last_sent_at;
