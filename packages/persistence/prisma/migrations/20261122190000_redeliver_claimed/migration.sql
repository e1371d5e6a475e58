-- Asked to be delivered again while it was claimed: should that attempt fail, the next follows at once.
ALTER TABLE "webhook_deliveries" ADD COLUMN "again" BOOLEAN NOT NULL DEFAULT false;
