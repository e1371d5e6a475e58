-- The trace that a notification event belongs to is continued when it is delivered (W3C Trace Context).
ALTER TABLE "notification_events" ADD COLUMN "traceparent" TEXT;
