-- CreateTable
CREATE TABLE "eta_predictions" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "shipment_id" UUID NOT NULL,
    "shipping_line_scac" TEXT NOT NULL,
    "port_of_lading_locode" TEXT,
    "port_of_discharge_locode" TEXT NOT NULL,
    "predicted_at" TIMESTAMPTZ(3) NOT NULL,
    "eta_at" TIMESTAMPTZ(3) NOT NULL,
    "earliest_at" TIMESTAMPTZ(3) NOT NULL,
    "latest_at" TIMESTAMPTZ(3) NOT NULL,
    "carrier_eta_at" TIMESTAMPTZ(3),
    "position_at" TIMESTAMPTZ(3) NOT NULL,
    "distance_left_nm" DOUBLE PRECISION NOT NULL,
    "speed_knots" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "eta_predictions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "eta_predictions_account_id_shipment_id_predicted_at_idx" ON "eta_predictions"("account_id", "shipment_id", "predicted_at" DESC);

-- CreateIndex
CREATE INDEX "eta_predictions_lane_idx" ON "eta_predictions"("account_id", "shipping_line_scac", "port_of_discharge_locode", "predicted_at" DESC);

-- AddForeignKey
ALTER TABLE "eta_predictions" ADD CONSTRAINT "eta_predictions_account_id_shipment_id_fkey" FOREIGN KEY ("account_id", "shipment_id") REFERENCES "shipments"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE eta_predictions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON eta_predictions TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON eta_predictions TO svc_tenant;
