-- One index for both filters: there are three kinds of number, so PostgreSQL looks for a line in each of them.
CREATE INDEX "tracking_requests_account_id_request_type_scac_idx" ON "tracking_requests"("account_id", "request_type", "scac");
