-- A suspended account neither signs in, polls nor delivers. A closed one is suspended, and erased after a grace period.
-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "closed_at" TIMESTAMPTZ(3),
ADD COLUMN     "erase_after" TIMESTAMPTZ(3),
ADD COLUMN     "suspended_at" TIMESTAMPTZ(3);

-- Below this line: what Prisma's schema language cannot express.
ALTER TABLE accounts
  ADD CONSTRAINT accounts_closed_check CHECK ((closed_at IS NULL) = (erase_after IS NULL)),
  ADD CONSTRAINT accounts_suspended_check CHECK (closed_at IS NULL OR suspended_at IS NOT NULL);
