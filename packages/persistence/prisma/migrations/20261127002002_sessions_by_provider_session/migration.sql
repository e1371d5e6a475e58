CREATE INDEX CONCURRENTLY "user_sessions_issuer_provider_session_idx" ON "user_sessions"("issuer", "provider_session");
