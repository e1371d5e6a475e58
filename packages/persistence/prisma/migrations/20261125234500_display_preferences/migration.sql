-- Nullable, without a default: the catalogue changes alone, no row is written.
ALTER TABLE "memberships" ADD COLUMN "date_order" TEXT,
ADD COLUMN "clock" TEXT,
ADD COLUMN "units" TEXT;
