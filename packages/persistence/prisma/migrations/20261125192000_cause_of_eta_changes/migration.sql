-- Why the ETA at the port of discharge changed, in reported facts. Null for other attributes, and before this migration.
ALTER TABLE field_facts ADD COLUMN cause JSONB;
