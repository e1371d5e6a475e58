-- State of the SFTP servers and mailboxes of the configuration, one row for each: which worker polls it, and the outcome.
CREATE TABLE "edi_sources" (
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "next_poll_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "fencing" INTEGER NOT NULL DEFAULT 1,
    "last_attempted_at" TIMESTAMPTZ(3),
    "last_succeeded_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error_detail" TEXT,
    "received_count" INTEGER NOT NULL DEFAULT 0,
    "state" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "edi_sources_pkey" PRIMARY KEY ("name")
);
