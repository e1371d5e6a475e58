-- CreateTable
CREATE TABLE "emission_factors" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "energy_scope" TEXT NOT NULL,
    "grams_per_teu_km" DOUBLE PRECISION NOT NULL,
    "distance_basis" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "carrier_scac" TEXT,
    "origins" TEXT[],
    "destinations" TEXT[],
    "both_directions" BOOLEAN NOT NULL,
    "vessel_imo" TEXT,
    "equipment" TEXT,
    "valid_from" DATE,
    "valid_until" DATE,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "emission_factors_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "emission_factors_account_id_created_at_id_idx" ON "emission_factors"("account_id", "created_at" DESC, "id" DESC);

ALTER TABLE emission_factors
  ADD CONSTRAINT emission_factors_energy_scope_check CHECK (energy_scope IN ('well_to_wake', 'tank_to_wake')),
  ADD CONSTRAINT emission_factors_distance_basis_check CHECK (
    distance_basis IN ('actual_distance', 'shortest_feasible_distance')),
  ADD CONSTRAINT emission_factors_equipment_check CHECK (equipment IN ('dry', 'reefer')),
  ADD CONSTRAINT emission_factors_grams_check CHECK (grams_per_teu_km > 0),
  ADD CONSTRAINT emission_factors_validity_check CHECK (valid_from <= valid_until);

-- Tenant isolation (docs/adr/0012).
ALTER TABLE emission_factors ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON emission_factors TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON emission_factors TO svc_tenant;

CREATE TRIGGER record_audit_event AFTER INSERT OR UPDATE OR DELETE ON emission_factors FOR EACH ROW
  WHEN (current_setting('svc.actor', true) <> '')
  EXECUTE FUNCTION record_audit_event('emission_factor', 'name',
    'name,energy_scope,grams_per_teu_km,distance_basis,source,carrier_scac,origins,destinations,both_directions,vessel_imo,equipment,valid_from,valid_until', '');
