-- AlterTable
ALTER TABLE "inboxes" ADD COLUMN     "window_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "window_ends_at" TIMESTAMPTZ(3);
