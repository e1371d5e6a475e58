-- What is recovered by one call is due at one instant. In an index that keeps equal keys in one entry, that entry goes only when
-- all of its rows are gone, so each claim would look at every row that was delivered since the last vacuum.
ALTER INDEX webhook_deliveries_lane SET (deduplicate_items = off);
ALTER INDEX webhook_deliveries_due SET (deduplicate_items = off);
