-- The order of lists that had to be sorted as a whole for each page.
CREATE INDEX "parties_account_id_created_at_id_idx" ON "parties"("account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "webhooks_account_id_created_at_id_idx" ON "webhooks"("account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "tracking_requests_account_id_updated_at_id_idx" ON "tracking_requests"("account_id", "updated_at" DESC, "id" DESC);
