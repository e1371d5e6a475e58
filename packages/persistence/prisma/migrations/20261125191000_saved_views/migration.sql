-- CreateTable
CREATE TABLE "saved_views" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "filters" JSONB NOT NULL,
    "sort" TEXT,
    "columns" TEXT[],
    "member_user_id" UUID,
    "created_by_user_id" UUID,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "default_views" (
    "account_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "list" TEXT NOT NULL,
    "view_id" UUID NOT NULL,

    CONSTRAINT "default_views_pkey" PRIMARY KEY ("account_id","user_id","list")
);

-- CreateIndex
CREATE INDEX "saved_views_account_id_created_at_id_idx" ON "saved_views"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "saved_views_account_id_member_user_id_idx" ON "saved_views"("account_id", "member_user_id");

-- CreateIndex
CREATE INDEX "default_views_account_id_view_id_idx" ON "default_views"("account_id", "view_id");

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_account_id_member_user_id_fkey" FOREIGN KEY ("account_id", "member_user_id") REFERENCES "memberships"("account_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "default_views" ADD CONSTRAINT "default_views_account_id_user_id_fkey" FOREIGN KEY ("account_id", "user_id") REFERENCES "memberships"("account_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "default_views" ADD CONSTRAINT "default_views_account_id_view_id_fkey" FOREIGN KEY ("account_id", "view_id") REFERENCES "saved_views"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE saved_views ADD CONSTRAINT saved_views_list_check CHECK (list IN ('shipments', 'containers', 'exceptions'));

-- A name is unique among the views of a list that are shared, and among those of a member.
CREATE UNIQUE INDEX saved_views_name_key ON saved_views (account_id, list, member_user_id, lower(name)) NULLS NOT DISTINCT;

ALTER TABLE saved_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON saved_views TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_views TO svc_tenant;
ALTER TABLE default_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON default_views TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON default_views TO svc_tenant;
