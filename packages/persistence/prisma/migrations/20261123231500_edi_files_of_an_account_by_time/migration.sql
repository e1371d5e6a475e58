-- Files are listed by the time of receipt, newest first.
CREATE INDEX CONCURRENTLY "edi_files_account_id_received_at_id_idx" ON "edi_files"("account_id", "received_at", "id");
