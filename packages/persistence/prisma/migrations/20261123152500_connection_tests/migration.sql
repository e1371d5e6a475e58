-- Test calls of carrier connections: requested by the API, made by the tracking worker.
ALTER TABLE "carrier_connections" ADD COLUMN "last_test" JSONB,
ADD COLUMN "test_claimed_until" TIMESTAMPTZ(3),
ADD COLUMN "test_requested_at" TIMESTAMPTZ(3);

-- Below this line: what Prisma's schema language cannot express.
CREATE INDEX carrier_connections_requested_tests ON carrier_connections (test_requested_at) WHERE test_requested_at IS NOT NULL;
