-- With the frequencies of up to 100 accounts the planner expects one row of an account that came after the last ANALYZE,
-- and joins its tables by reading all of its rows for each row. With that of the largest account alone it expects as
-- many rows as other accounts have on average.
ALTER TABLE shipments ALTER COLUMN account_id SET STATISTICS 1;
ALTER TABLE containers ALTER COLUMN account_id SET STATISTICS 1;
ALTER TABLE transport_events ALTER COLUMN account_id SET STATISTICS 1;
ALTER TABLE tracking_requests ALTER COLUMN account_id SET STATISTICS 1;
ALTER TABLE exceptions ALTER COLUMN account_id SET STATISTICS 1;
ALTER TABLE container_demurrage ALTER COLUMN account_id SET STATISTICS 1;
