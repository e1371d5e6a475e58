-- The user of a tracking request, as its session or token identifies it (docs/contract/reference.md 2.3).
ALTER TABLE tracking_requests ADD COLUMN created_by_user_id uuid;
