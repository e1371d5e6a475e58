-- AlterTable
ALTER TABLE "alert_subscriptions" ADD COLUMN "mailbox" TEXT, ADD COLUMN "confirmed_at" TIMESTAMPTZ(3);

-- E-mail is sent to a member or to a mailbox, and a mailbox receives nothing before it is confirmed.
ALTER TABLE alert_subscriptions DROP CONSTRAINT alert_subscriptions_channel_check;
ALTER TABLE alert_subscriptions
  ADD CONSTRAINT alert_subscriptions_channel_check CHECK (
    channel = 'email' AND (user_id IS NULL) <> (mailbox IS NULL) AND sealed_url IS NULL
    OR channel IN ('slack', 'teams') AND user_id IS NULL AND mailbox IS NULL AND sealed_url IS NOT NULL) NOT VALID,
  ADD CONSTRAINT alert_subscriptions_confirmed_check CHECK (mailbox IS NULL OR confirmed_at IS NOT NULL OR NOT active) NOT VALID;
