-- EDI files: what was received, and what came of it. The file itself is an event message with the same id.
CREATE TABLE "edi_files" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT,
    "source" TEXT NOT NULL,
    "partner" TEXT NOT NULL,
    "scac" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "sender" TEXT,
    "control_number" TEXT,
    "duplicate_of" UUID,
    "result" JSONB,

    CONSTRAINT "edi_files_pkey" PRIMARY KEY ("account_id","id")
);

CREATE INDEX "edi_files_account_id_sender_control_number_idx" ON "edi_files"("account_id", "sender", "control_number");
CREATE INDEX "edi_files_received_at_idx" ON "edi_files"("received_at");

-- Below this line: what Prisma's schema language cannot express.
ALTER TABLE edi_files ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON edi_files TO svc_tenant
  USING (account_id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON edi_files TO svc_tenant;
