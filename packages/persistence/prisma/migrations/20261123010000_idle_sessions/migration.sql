-- When a session was used last, to within five minutes: one that nobody uses ends before its time.
ALTER TABLE user_sessions ADD COLUMN last_used_at timestamptz(3) NOT NULL DEFAULT now();
