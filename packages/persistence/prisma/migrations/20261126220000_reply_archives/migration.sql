-- Objects with the stored replies of finished shipments (docs/adr/0055-bodies-of-replies-are-archived.md). The row is written before
-- the object, so no object exists without one.
CREATE TABLE "reply_archives" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "shipment_id" UUID NOT NULL,
    "stopped_at" TIMESTAMPTZ(3),
    "object_key" TEXT NOT NULL,
    "object_sha256" BYTEA NOT NULL,
    "object_bytes" INTEGER NOT NULL,
    "reply_count" INTEGER NOT NULL,
    "body_bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "stored_at" TIMESTAMPTZ(3),

    CONSTRAINT "reply_archives_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "reply_archives_account_id_shipment_id_idx" ON "reply_archives"("account_id", "shipment_id");

-- One worker at a time writes an object of a shipment.
CREATE UNIQUE INDEX reply_archives_being_written ON reply_archives (account_id, shipment_id) WHERE stored_at IS NULL;

-- Objects to delete: of erased accounts, of restored shipments, and of workers that ended while they wrote.
CREATE TABLE "archive_removals" (
    "object_key" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "archive_removals_pkey" PRIMARY KEY ("object_key")
);

-- When the removal is due, a worker that was still writing the object has given up, and what was reading it has ended.
CREATE FUNCTION remove_archived_object() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO archive_removals (object_key, due_at)
  VALUES (OLD.object_key, now() + interval '10 minutes')
  ON CONFLICT (object_key) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER reply_archives_removed AFTER DELETE ON reply_archives
  FOR EACH ROW EXECUTE FUNCTION remove_archived_object();

-- Workers only: no request reads or writes it.
ALTER TABLE reply_archives ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON reply_archives TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);

-- The previous build reads bodies only when shipments are replayed, and nothing is archived before a worker of this build is configured to.
-- squawk-ignore ban-drop-not-null
ALTER TABLE raw_replies ALTER COLUMN body DROP NOT NULL;
ALTER TABLE raw_replies ADD COLUMN archive_id UUID;
ALTER TABLE raw_replies ADD CONSTRAINT raw_replies_archived_check
  CHECK ((body IS NULL) = (archive_id IS NOT NULL)) NOT VALID;
