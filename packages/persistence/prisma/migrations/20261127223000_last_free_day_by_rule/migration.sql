-- The last free day by the rules of the account, which lists filter and sort by.
ALTER TABLE container_demurrage ADD COLUMN last_free_day DATE;

UPDATE container_demurrage d SET last_free_day = (
  SELECT min((charge->>'lastFreeDay')::date) FROM jsonb_array_elements(d.charges) AS charge
  WHERE charge->>'direction' = 'import' AND charge->>'status' IN ('free', 'charged', 'stopped'));
