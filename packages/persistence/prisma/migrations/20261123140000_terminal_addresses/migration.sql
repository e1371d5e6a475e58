-- The address of a terminal, from the packaged reference data.
ALTER TABLE terminals
  ADD COLUMN street text,
  ADD COLUMN city text,
  ADD COLUMN state text,
  ADD COLUMN state_abbr text,
  ADD COLUMN zip text,
  ADD COLUMN country text;
