-- AlterTable
ALTER TABLE "webhooks"
  ADD COLUMN "paused" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "rate_limit" INTEGER,
  ADD COLUMN "rate_paid_until" TIMESTAMPTZ(3),
  ADD CONSTRAINT "webhooks_rate_limit_check" CHECK (rate_limit BETWEEN 1 AND 10000);
