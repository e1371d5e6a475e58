CREATE INDEX CONCURRENTLY "user_sessions_issuer_subject_idx" ON "user_sessions"("issuer", "subject");
