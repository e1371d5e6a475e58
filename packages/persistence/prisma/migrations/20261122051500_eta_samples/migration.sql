-- CreateTable
CREATE TABLE "eta_samples" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "shipment_id" UUID NOT NULL,
    "shipping_line_scac" TEXT NOT NULL,
    "port_of_lading_locode" TEXT,
    "port_of_discharge_locode" TEXT NOT NULL,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,
    "eta_at" TIMESTAMPTZ(3) NOT NULL,
    "arrived_at" TIMESTAMPTZ(3),

    CONSTRAINT "eta_samples_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "eta_samples_account_id_shipment_id_idx" ON "eta_samples"("account_id", "shipment_id");

-- CreateIndex
CREATE INDEX "eta_samples_lane_idx" ON "eta_samples"("account_id", "shipping_line_scac", "port_of_lading_locode", "port_of_discharge_locode");

-- Below this line: what Prisma's schema language cannot say.
ALTER TABLE eta_samples ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON eta_samples TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON eta_samples TO svc_tenant;
