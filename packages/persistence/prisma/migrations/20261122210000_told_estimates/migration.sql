-- Estimates as subscribers were told them last, where that is not the present one.
-- AlterTable
ALTER TABLE "shipments" ADD COLUMN     "told_pod_eta_at" TIMESTAMPTZ(3),
ADD COLUMN     "told_pol_etd_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "containers" ADD COLUMN     "told_ind_eta_at" TIMESTAMPTZ(3);

-- Below this line: what Prisma's schema language cannot say.
CREATE OR REPLACE VIEW own_shipments AS SELECT * FROM shipments WHERE account_id = current_setting('svc.account_id')::uuid;
CREATE OR REPLACE VIEW own_containers AS SELECT * FROM containers WHERE account_id = current_setting('svc.account_id')::uuid;
