-- CreateTable
CREATE TABLE "demurrage_rules" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "direction" TEXT NOT NULL,
    "carrier_scac" TEXT,
    "port_locode" TEXT,
    "terminal_code" TEXT,
    "equipment_types" TEXT[],
    "equipment_lengths" INTEGER[],
    "valid_from" DATE,
    "valid_until" DATE,
    "counting_start" TEXT NOT NULL,
    "start_offset_days" INTEGER NOT NULL,
    "free_days" INTEGER NOT NULL,
    "free_day_calendar" TEXT NOT NULL,
    "charged_day_calendar" TEXT NOT NULL,
    "weekend_days" INTEGER[],
    "holidays" DATE[],
    "currency_code" TEXT NOT NULL,
    "tiers" JSONB NOT NULL,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "demurrage_rules_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "container_demurrage" (
    "account_id" UUID NOT NULL,
    "container_id" UUID NOT NULL,
    "charges" JSONB NOT NULL,
    "computed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "container_demurrage_pkey" PRIMARY KEY ("account_id","container_id")
);

-- CreateTable
CREATE TABLE "demurrage_recomputations" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "carrier_scac" TEXT,
    "after_shipment_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "demurrage_recomputations_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "demurrage_rules_account_id_created_at_id_idx" ON "demurrage_rules"("account_id", "created_at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "container_demurrage" ADD CONSTRAINT "container_demurrage_account_id_container_id_fkey" FOREIGN KEY ("account_id", "container_id") REFERENCES "containers"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE demurrage_rules
  ADD CONSTRAINT demurrage_rules_kind_check CHECK (kind IN ('demurrage', 'detention', 'per_diem')),
  ADD CONSTRAINT demurrage_rules_direction_check CHECK (direction IN ('import', 'export')),
  ADD CONSTRAINT demurrage_rules_terminal_check CHECK (
    terminal_code IS NULL OR port_locode IS NOT NULL AND direction = 'import'),
  ADD CONSTRAINT demurrage_rules_validity_check CHECK (valid_from <= valid_until),
  ADD CONSTRAINT demurrage_rules_days_check CHECK (free_days >= 0 AND start_offset_days >= 0);

-- Tenant isolation (docs/adr/0012).
ALTER TABLE demurrage_rules ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON demurrage_rules TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON demurrage_rules TO svc_tenant;
ALTER TABLE container_demurrage ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON container_demurrage TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON container_demurrage TO svc_tenant;
ALTER TABLE demurrage_recomputations ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON demurrage_recomputations TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON demurrage_recomputations TO svc_tenant;
