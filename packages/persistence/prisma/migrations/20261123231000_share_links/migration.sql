-- CreateTable
CREATE TABLE "share_links" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "shipment_id" UUID NOT NULL,
    "token_sha256" BYTEA NOT NULL,
    "sealed_token" BYTEA,
    "shows_references" BOOLEAN NOT NULL,
    "shows_fees" BOOLEAN NOT NULL,
    "created_by_user_id" UUID,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_opened_at" TIMESTAMPTZ(3),
    "opened_count" INTEGER NOT NULL DEFAULT 0,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "share_links_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "share_links_token_sha256_key" ON "share_links"("token_sha256");

-- CreateIndex
CREATE INDEX "share_links_account_id_shipment_id_idx" ON "share_links"("account_id", "shipment_id");

-- CreateIndex
CREATE INDEX "share_links_account_id_created_at_id_idx" ON "share_links"("account_id", "created_at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_account_id_shipment_id_fkey" FOREIGN KEY ("account_id", "shipment_id") REFERENCES "shipments"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A revoked link keeps no secret: its address cannot be shown or opened again.
ALTER TABLE share_links ADD CONSTRAINT share_links_revoked_check CHECK ((revoked_at IS NULL) = (sealed_token IS NOT NULL));

ALTER TABLE share_links ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON share_links TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON share_links TO svc_tenant;
