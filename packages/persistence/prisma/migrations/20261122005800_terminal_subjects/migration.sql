-- Terminals are asked about containers: the number of such a subject is the container's id.
CREATE INDEX tracking_subjects_terminal ON tracking_subjects (account_id, number) WHERE kind = 'terminal_container';
