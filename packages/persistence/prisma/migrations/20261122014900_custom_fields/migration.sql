-- Fields that an account defines for its shipments, containers and tracking requests, and their values.

-- CreateTable
CREATE TABLE "custom_field_definitions" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "entity_type" TEXT NOT NULL,
    "api_slug" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "data_type" TEXT NOT NULL,
    "description" TEXT,
    "reference_type" TEXT,
    "validation" JSONB,
    "default_format" TEXT,
    "default_value" JSONB,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "custom_field_definitions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "custom_field_options" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "definition_id" UUID NOT NULL,
    "label" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "position" INTEGER,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "custom_field_options_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "custom_fields" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "definition_id" UUID NOT NULL,
    "entity_type" TEXT NOT NULL,
    "entity_id" UUID NOT NULL,
    "value" JSONB NOT NULL,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "custom_fields_pkey" PRIMARY KEY ("account_id","id")
);

-- AlterTable
ALTER TABLE "parties" ADD COLUMN "row_version" INTEGER NOT NULL DEFAULT 1;

-- CreateIndex
CREATE INDEX "custom_field_definitions_account_id_created_at_id_idx" ON "custom_field_definitions"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "custom_field_definitions_account_id_entity_type_api_slug_key" ON "custom_field_definitions"("account_id", "entity_type", "api_slug");

-- CreateIndex
CREATE UNIQUE INDEX "custom_field_options_account_id_definition_id_value_key" ON "custom_field_options"("account_id", "definition_id", "value");

-- CreateIndex
CREATE INDEX "custom_fields_account_id_created_at_id_idx" ON "custom_fields"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "custom_fields_account_id_entity_id_idx" ON "custom_fields"("account_id", "entity_id");

-- CreateIndex
CREATE UNIQUE INDEX "custom_fields_account_id_definition_id_entity_id_key" ON "custom_fields"("account_id", "definition_id", "entity_id");

-- AddForeignKey
ALTER TABLE "custom_field_options" ADD CONSTRAINT "custom_field_options_account_id_definition_id_fkey" FOREIGN KEY ("account_id", "definition_id") REFERENCES "custom_field_definitions"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_account_id_definition_id_fkey" FOREIGN KEY ("account_id", "definition_id") REFERENCES "custom_field_definitions"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE custom_field_definitions
  ADD CONSTRAINT custom_field_definitions_entity_type_check CHECK (entity_type IN ('Shipment', 'Container', 'TrackingRequest')),
  ADD CONSTRAINT custom_field_definitions_reference_type_check CHECK ((data_type = 'reference') = (reference_type IS NOT NULL));

-- Each account sees its own rows only (docs/adr/0012).
DO $$
DECLARE
  tenant_table regclass;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['custom_field_definitions', 'custom_field_options', 'custom_fields']::regclass[]
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY own_account ON %s TO svc_tenant USING (account_id = NULLIF(current_setting(''svc.account_id'', true), '''')::uuid)',
      tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO svc_tenant', tenant_table);
  END LOOP;
END $$;
