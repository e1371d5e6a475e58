-- A user may join further accounts. Members so far joined when the user was created.
ALTER TABLE "memberships" ADD COLUMN "joined_at" TIMESTAMPTZ(3);
ALTER TABLE "memberships" ALTER COLUMN "joined_at" SET DEFAULT CURRENT_TIMESTAMP;
