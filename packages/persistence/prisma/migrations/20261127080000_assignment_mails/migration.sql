-- AlterTable
ALTER TABLE "mention_mails" ADD COLUMN "exception_ids" UUID[];
