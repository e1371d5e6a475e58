-- AlterTable
ALTER TABLE "memberships" ADD COLUMN "mention_mails" BOOLEAN NOT NULL DEFAULT true;
