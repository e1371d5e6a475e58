-- CreateIndex
CREATE INDEX "event_messages_received_at_idx" ON "event_messages"("received_at");
