-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "company_name" TEXT NOT NULL,
    "features" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "account_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("account_id","user_id")
);

-- CreateTable
CREATE TABLE "user_sessions" (
    "token_sha256" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "user_sessions_pkey" PRIMARY KEY ("token_sha256")
);

-- CreateTable
CREATE TABLE "api_tokens" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "token_sha256" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_by_user_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shipping_lines" (
    "id" UUID NOT NULL,
    "scac" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "short_name" TEXT NOT NULL,
    "alternative_scacs" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "bill_of_lading_tracking_support" BOOLEAN NOT NULL DEFAULT true,
    "booking_number_tracking_support" BOOLEAN NOT NULL DEFAULT true,
    "container_number_tracking_support" BOOLEAN NOT NULL DEFAULT true,
    "bill_of_lading_patterns" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "container_prefixes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "query_form" TEXT NOT NULL DEFAULT 'keep_prefix',

    CONSTRAINT "shipping_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ports" (
    "id" UUID NOT NULL,
    "locode" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "city" TEXT,
    "state_abbr" TEXT,
    "country_code" TEXT NOT NULL,
    "latitude" DOUBLE PRECISION,
    "longitude" DOUBLE PRECISION,
    "time_zone" TEXT,
    "source" TEXT NOT NULL,

    CONSTRAINT "ports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "port_aliases" (
    "locode" TEXT NOT NULL,
    "port_id" UUID NOT NULL,

    CONSTRAINT "port_aliases_pkey" PRIMARY KEY ("locode")
);

-- CreateTable
CREATE TABLE "metro_areas" (
    "id" UUID NOT NULL,
    "locode" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state_abbr" TEXT,
    "country_code" TEXT NOT NULL,
    "latitude" DOUBLE PRECISION,
    "longitude" DOUBLE PRECISION,
    "time_zone" TEXT,

    CONSTRAINT "metro_areas_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "terminals" (
    "id" UUID NOT NULL,
    "port_id" UUID,
    "metro_area_id" UUID,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "nickname" TEXT,
    "firms_code" TEXT,
    "smdg_code" TEXT,
    "bic_facility_code" TEXT,
    "source" TEXT NOT NULL,

    CONSTRAINT "terminals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "vessels" (
    "id" UUID NOT NULL,
    "imo" TEXT,
    "mmsi" TEXT,
    "name" TEXT NOT NULL,

    CONSTRAINT "vessels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "parties" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "company_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "parties_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "tracking_requests" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "request_type" TEXT NOT NULL,
    "request_number" TEXT NOT NULL,
    "normalized_number" TEXT NOT NULL,
    "scac" TEXT,
    "auto_detect_scac" BOOLEAN NOT NULL DEFAULT false,
    "ref_numbers" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "shipment_tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "customer_id" UUID,
    "status" TEXT NOT NULL,
    "failed_reason" TEXT,
    "is_retrying" BOOLEAN NOT NULL DEFAULT false,
    "retry_count" INTEGER NOT NULL DEFAULT 0,
    "awaiting_manifest_since" TIMESTAMPTZ(3),
    "subject_id" UUID,
    "shipment_id" UUID,
    "created_by_token_id" UUID,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tracking_requests_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "tracking_subjects" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "scac" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "number" TEXT NOT NULL,
    "next_poll_at" TIMESTAMPTZ(3),
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "fencing" BIGINT NOT NULL DEFAULT 0,
    "last_attempted_at" TIMESTAMPTZ(3),
    "last_succeeded_at" TIMESTAMPTZ(3),
    "last_changed_at" TIMESTAMPTZ(3),
    "last_found_at" TIMESTAMPTZ(3),
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "unchanged_polls" INTEGER NOT NULL DEFAULT 0,
    "content_hash" BYTEA,
    "not_found_since" TIMESTAMPTZ(3),
    "not_found_polls" INTEGER NOT NULL DEFAULT 0,
    "progress" JSONB,
    "recheck_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tracking_subjects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "raw_replies" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "url" TEXT NOT NULL,
    "http_status" INTEGER,
    "content_hash" BYTEA NOT NULL,
    "event_count" INTEGER NOT NULL,
    "body" BYTEA NOT NULL,

    CONSTRAINT "raw_replies_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "observations" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "raw_reply_id" UUID NOT NULL,
    "value_hash" BYTEA NOT NULL,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,
    "missing_since" TIMESTAMPTZ(3),
    "withdrawn_at" TIMESTAMPTZ(3),
    "fact" JSONB NOT NULL,

    CONSTRAINT "observations_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "shipments" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "subject_id" UUID,
    "bill_of_lading_number" TEXT NOT NULL,
    "normalized_number" TEXT NOT NULL,
    "number_kind" TEXT NOT NULL,
    "booking_number" TEXT,
    "shipping_line_scac" TEXT NOT NULL,
    "ref_numbers" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "customer_id" UUID,
    "port_of_lading_id" UUID,
    "port_of_discharge_id" UUID,
    "destination_port_id" UUID,
    "destination_metro_area_id" UUID,
    "pod_terminal_id" UUID,
    "destination_terminal_id" UUID,
    "pod_vessel_id" UUID,
    "pod_voyage_number" TEXT,
    "pol_etd_at" TIMESTAMPTZ(3),
    "pol_original_etd_at" TIMESTAMPTZ(3),
    "pol_atd_at" TIMESTAMPTZ(3),
    "pod_eta_at" TIMESTAMPTZ(3),
    "pod_original_eta_at" TIMESTAMPTZ(3),
    "pod_ata_at" TIMESTAMPTZ(3),
    "destination_eta_at" TIMESTAMPTZ(3),
    "destination_original_eta_at" TIMESTAMPTZ(3),
    "destination_ata_at" TIMESTAMPTZ(3),
    "line_tracking_stopped_at" TIMESTAMPTZ(3),
    "line_tracking_stopped_reason" TEXT,
    "line_tracking_stopped_by_user_id" UUID,
    "line_tracking_resumed_at" TIMESTAMPTZ(3),
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shipments_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "containers" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "shipment_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "ref_numbers" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "current_status" TEXT NOT NULL DEFAULT 'new',
    "equipment_type" TEXT,
    "equipment_length" INTEGER,
    "equipment_height" TEXT,
    "weight_in_lbs" INTEGER,
    "seal_number" TEXT,
    "availability_known" BOOLEAN NOT NULL DEFAULT false,
    "available_for_pickup" BOOLEAN,
    "pickup_lfd" TIMESTAMPTZ(3),
    "pickup_lfd_terminal" TIMESTAMPTZ(3),
    "pickup_lfd_rail" TIMESTAMPTZ(3),
    "pickup_lfd_line" TIMESTAMPTZ(3),
    "pickup_appointment_at" TIMESTAMPTZ(3),
    "pickup_facility_id" UUID,
    "pod_terminal_id" UUID,
    "location_at_pod_terminal" TEXT,
    "terminal_checked_at" TIMESTAMPTZ(3),
    "holds_at_pod_terminal" JSONB NOT NULL DEFAULT '[]',
    "fees_at_pod_terminal" JSONB NOT NULL DEFAULT '[]',
    "empty_out_at" TIMESTAMPTZ(3),
    "pol_full_in_at" TIMESTAMPTZ(3),
    "pol_vessel_loaded_at" TIMESTAMPTZ(3),
    "pol_vessel_departed_at" TIMESTAMPTZ(3),
    "pod_arrived_at" TIMESTAMPTZ(3),
    "pod_discharged_at" TIMESTAMPTZ(3),
    "pod_full_out_at" TIMESTAMPTZ(3),
    "pod_full_out_chassis_number" TEXT,
    "pod_rail_carrier_scac" TEXT,
    "ind_rail_carrier_scac" TEXT,
    "pod_rail_loaded_at" TIMESTAMPTZ(3),
    "pod_rail_departed_at" TIMESTAMPTZ(3),
    "ind_eta_at" TIMESTAMPTZ(3),
    "ind_ata_at" TIMESTAMPTZ(3),
    "ind_rail_unloaded_at" TIMESTAMPTZ(3),
    "final_destination_full_out_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "empty_terminated_at" TIMESTAMPTZ(3),
    "empty_terminated_timezone" TEXT,
    "final_destination_timezone" TEXT,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "containers_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "transport_events" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "shipment_id" UUID NOT NULL,
    "container_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "milestone_key" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3),
    "time_zone" TEXT,
    "time_precision" TEXT NOT NULL DEFAULT 'exact',
    "port_id" UUID,
    "metro_area_id" UUID,
    "terminal_id" UUID,
    "location_locode" TEXT,
    "vessel_id" UUID,
    "voyage_number" TEXT,
    "data_source" TEXT NOT NULL,
    "observation_id" UUID,
    "previous_version_id" UUID,
    "invalidated_at" TIMESTAMPTZ(3),
    "invalidation_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transport_events_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "field_facts" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "value" JSONB,
    "rule" TEXT NOT NULL,
    "data_source" TEXT NOT NULL,
    "observation_id" UUID,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "superseded_at" TIMESTAMPTZ(3),

    CONSTRAINT "field_facts_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "webhooks" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sealed_secret" BYTEA NOT NULL,
    "previous_sealed_secrets" BYTEA[] DEFAULT ARRAY[]::BYTEA[],
    "previous_secrets_until" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[],
    "headers" JSONB NOT NULL DEFAULT '[]',
    "last_success_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "slow" BOOLEAN NOT NULL DEFAULT false,
    "deactivated_at" TIMESTAMPTZ(3),
    "deactivated_reason" TEXT,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "notification_events" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "reference_type" TEXT NOT NULL,
    "reference_id" UUID NOT NULL,
    "included" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_events_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "webhook_notifications" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "delivery_status" TEXT NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "attempts_before" INTEGER NOT NULL DEFAULT 0,
    "recovered" BOOLEAN NOT NULL DEFAULT false,
    "next_attempt_at" TIMESTAMPTZ(3),
    "claim_id" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "attempt_started_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "transaction_id" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,

    CONSTRAINT "webhook_notifications_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "attempt_number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER,
    "outcome" TEXT NOT NULL,
    "http_status" INTEGER,
    "error_class" TEXT,
    "error_detail" TEXT,
    "url" TEXT NOT NULL,
    "request_headers" JSONB NOT NULL,
    "response_headers" JSONB,
    "response_body" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE INDEX "user_sessions_user_id_idx" ON "user_sessions"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_token_sha256_key" ON "api_tokens"("token_sha256");

-- CreateIndex
CREATE INDEX "api_tokens_account_id_idx" ON "api_tokens"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "shipping_lines_scac_key" ON "shipping_lines"("scac");

-- CreateIndex
CREATE UNIQUE INDEX "ports_locode_key" ON "ports"("locode");

-- CreateIndex
CREATE UNIQUE INDEX "metro_areas_locode_key" ON "metro_areas"("locode");

-- CreateIndex
CREATE UNIQUE INDEX "terminals_port_id_smdg_code_key" ON "terminals"("port_id", "smdg_code");

-- CreateIndex
CREATE UNIQUE INDEX "vessels_imo_key" ON "vessels"("imo");

-- CreateIndex
CREATE INDEX "tracking_requests_account_id_created_at_id_idx" ON "tracking_requests"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tracking_requests_account_id_shipment_id_idx" ON "tracking_requests"("account_id", "shipment_id");

-- CreateIndex
CREATE INDEX "tracking_requests_subject_id_idx" ON "tracking_requests"("subject_id");

-- CreateIndex
CREATE UNIQUE INDEX "tracking_subjects_account_id_scac_kind_number_key" ON "tracking_subjects"("account_id", "scac", "kind", "number");

-- CreateIndex
CREATE INDEX "raw_replies_subject_id_id_idx" ON "raw_replies"("subject_id", "id");

-- CreateIndex
CREATE INDEX "observations_subject_id_id_idx" ON "observations"("subject_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "observations_subject_id_value_hash_key" ON "observations"("subject_id", "value_hash");

-- CreateIndex
CREATE INDEX "shipments_account_id_created_at_id_idx" ON "shipments"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "shipments_account_id_updated_at_id_idx" ON "shipments"("account_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "shipments_account_id_subject_id_idx" ON "shipments"("account_id", "subject_id");

-- CreateIndex
CREATE UNIQUE INDEX "shipments_account_id_shipping_line_scac_normalized_number_key" ON "shipments"("account_id", "shipping_line_scac", "normalized_number");

-- CreateIndex
CREATE INDEX "containers_account_id_number_idx" ON "containers"("account_id", "number");

-- CreateIndex
CREATE INDEX "containers_account_id_created_at_id_idx" ON "containers"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "containers_account_id_updated_at_id_idx" ON "containers"("account_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "containers_account_id_shipment_id_number_key" ON "containers"("account_id", "shipment_id", "number");

-- CreateIndex
CREATE INDEX "transport_events_account_id_container_id_created_at_id_idx" ON "transport_events"("account_id", "container_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "transport_events_account_id_shipment_id_idx" ON "transport_events"("account_id", "shipment_id");

-- CreateIndex
CREATE INDEX "field_facts_account_id_subject_id_field_valid_from_idx" ON "field_facts"("account_id", "subject_id", "field", "valid_from" DESC);

-- CreateIndex
CREATE INDEX "webhook_notifications_account_id_delivery_status_id_idx" ON "webhook_notifications"("account_id", "delivery_status", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_notifications_account_id_webhook_id_id_idx" ON "webhook_notifications"("account_id", "webhook_id", "id");

-- CreateIndex
CREATE INDEX "webhook_notifications_account_id_webhook_id_transaction_id__idx" ON "webhook_notifications"("account_id", "webhook_id", "transaction_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_notifications_account_id_event_id_webhook_id_key" ON "webhook_notifications"("account_id", "event_id", "webhook_id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_attempts_account_id_notification_id_attempt_number_key" ON "webhook_attempts"("account_id", "notification_id", "attempt_number");

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "account_id" UUID NOT NULL,
    "key_sha256" BYTEA NOT NULL,
    "request_sha256" BYTEA NOT NULL,
    "status" INTEGER,
    "headers" JSONB,
    "sealed_body" BYTEA,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("account_id","key_sha256")
);

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- CreateIndex
CREATE INDEX "tracking_requests_account_id_status_created_at_id_idx" ON "tracking_requests"("account_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tracking_requests_account_id_normalized_number_idx" ON "tracking_requests"("account_id", "normalized_number");

-- CreateIndex
CREATE INDEX "shipments_account_id_normalized_number_idx" ON "shipments"("account_id", "normalized_number");

-- CreateIndex
CREATE INDEX "shipments_account_id_booking_number_idx" ON "shipments"("account_id", "booking_number");

-- CreateIndex
CREATE INDEX "shipments_account_id_port_of_lading_id_idx" ON "shipments"("account_id", "port_of_lading_id");

-- CreateIndex
CREATE INDEX "shipments_account_id_port_of_discharge_id_idx" ON "shipments"("account_id", "port_of_discharge_id");

-- CreateIndex
CREATE INDEX "shipments_account_id_destination_port_id_idx" ON "shipments"("account_id", "destination_port_id");

-- CreateIndex
CREATE INDEX "shipments_account_id_destination_metro_area_id_idx" ON "shipments"("account_id", "destination_metro_area_id");

-- CreateIndex
CREATE INDEX "shipments_account_id_shipping_line_scac_created_at_id_idx" ON "shipments"("account_id", "shipping_line_scac", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "containers_account_id_current_status_created_at_id_idx" ON "containers"("account_id", "current_status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "containers_account_id_pickup_lfd_idx" ON "containers"("account_id", "pickup_lfd");

-- CreateIndex
CREATE INDEX "webhook_notifications_account_id_event_id_idx" ON "webhook_notifications"("account_id", "event", "id" DESC);

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "port_aliases" ADD CONSTRAINT "port_aliases_port_id_fkey" FOREIGN KEY ("port_id") REFERENCES "ports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "terminals" ADD CONSTRAINT "terminals_port_id_fkey" FOREIGN KEY ("port_id") REFERENCES "ports"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "terminals" ADD CONSTRAINT "terminals_metro_area_id_fkey" FOREIGN KEY ("metro_area_id") REFERENCES "metro_areas"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "containers" ADD CONSTRAINT "containers_account_id_shipment_id_fkey" FOREIGN KEY ("account_id", "shipment_id") REFERENCES "shipments"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_notifications" ADD CONSTRAINT "webhook_notifications_account_id_event_id_fkey" FOREIGN KEY ("account_id", "event_id") REFERENCES "notification_events"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;



-- ----------------------------------------------------------------------------------------------------------------
-- Below this line: what Prisma's schema language cannot say. The differ ignores partial and expression indexes,
-- checks and functions, so `prisma migrate diff` stays clean.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE UNIQUE INDEX users_email_key ON users (lower(email));

-- contract-decisions.md 3: the same number and SCAC once while it is pending, awaiting its manifest or created.
CREATE UNIQUE INDEX tracking_requests_live_key ON tracking_requests (account_id, scac, normalized_number)
  WHERE status IN ('pending', 'awaiting_manifest', 'created');

-- What is due at each carrier: a carrier with a long backlog is skipped without reading it.
CREATE INDEX tracking_subjects_due ON tracking_subjects (scac, next_poll_at) WHERE next_poll_at IS NOT NULL;

-- What identifies a place or vessel that a carrier named before anybody else did.
CREATE UNIQUE INDEX vessels_name_without_imo_key ON vessels (upper(name)) WHERE imo IS NULL;
CREATE UNIQUE INDEX terminals_bic_facility_code_key ON terminals (bic_facility_code) WHERE bic_facility_code IS NOT NULL;
CREATE UNIQUE INDEX terminals_metro_area_smdg_code_key ON terminals (metro_area_id, smdg_code)
  WHERE metro_area_id IS NOT NULL AND smdg_code IS NOT NULL;

-- One live version of each milestone; a correction invalidates the row and adds another.
CREATE UNIQUE INDEX transport_events_live_key ON transport_events (account_id, container_id, milestone_key)
  WHERE invalidated_at IS NULL;

CREATE UNIQUE INDEX field_facts_current_key ON field_facts (account_id, subject_id, field) WHERE superseded_at IS NULL;

-- What the relay reads: when the next one is due, what waits for each webhook, and what is claimed. No predicate names
-- lease_until, so that a heartbeat changes no index.
CREATE INDEX webhook_notifications_due ON webhook_notifications (next_attempt_at)
  WHERE delivery_status = 'pending' AND claim_id IS NULL;
CREATE INDEX webhook_notifications_lane ON webhook_notifications (account_id, webhook_id, recovered, next_attempt_at)
  WHERE delivery_status = 'pending' AND claim_id IS NULL;
CREATE INDEX webhook_notifications_claimed ON webhook_notifications (account_id, webhook_id)
  WHERE claim_id IS NOT NULL;
-- Room on each page for the updates of a delivery: those that change no index then stay on it and write none.
ALTER TABLE webhook_notifications SET (fillfactor = 60);
CREATE INDEX webhooks_active ON webhooks (account_id) WHERE active AND deleted_at IS NULL;

-- Finding by whatever number a person holds: prefix by btree, substring by trigram within the account.
CREATE INDEX containers_number_trgm ON containers USING gin (account_id, number gin_trgm_ops);
CREATE INDEX shipments_ref_numbers ON shipments USING gin (account_id, ref_numbers);
CREATE INDEX containers_ref_numbers ON containers USING gin (account_id, ref_numbers);
CREATE INDEX shipments_tags ON shipments USING gin (account_id, tags);

-- The forms in which numbers and references are searched; the same as searchText and normalizeContainerNumber of
-- packages/domain. The collation is named, so that every server folds case alike, whatever its locale.
CREATE FUNCTION search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN upper(btrim(normalize(value, NFKC)) COLLATE pg_unicode_fast);

CREATE FUNCTION search_number(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN translate(search_text(value), E' \t\n\r\v\f-./_', '');

CREATE FUNCTION reference_keys(ref_numbers text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 5000
RETURN ARRAY(SELECT 'reference:' || search_text(reference) FROM unnest(ref_numbers) AS reference);

-- What a shipment is found by exactly: its numbers and its references, told apart. The costs are high, so that the planner
-- reads the stored results from the indexes and does not compute them for every row.
CREATE FUNCTION shipment_keys(bill_of_lading_number text, normalized_number text, booking_number text, ref_numbers text[])
RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 5000
RETURN reference_keys(ref_numbers) || ARRAY(
  SELECT DISTINCT 'number:' || search_number(number)
  FROM unnest(ARRAY[bill_of_lading_number, normalized_number, booking_number]) AS number WHERE number IS NOT NULL);

-- What a shipment is found by in part: all its numbers and references, one a line.
CREATE FUNCTION shipment_search_text(bill_of_lading_number text, normalized_number text, booking_number text, ref_numbers text[])
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 5000
RETURN search_text(array_to_string(ARRAY[bill_of_lading_number, normalized_number, booking_number] || ref_numbers, E'\n'));

-- Without a pending list, which every search would have to read.
CREATE INDEX shipments_keys ON shipments USING gin
  (account_id, shipment_keys(bill_of_lading_number, normalized_number, booking_number, ref_numbers)) WITH (fastupdate = off);
CREATE INDEX containers_reference_keys ON containers USING gin (account_id, reference_keys(ref_numbers)) WITH (fastupdate = off);
CREATE INDEX shipments_search_text_trgm ON shipments USING gin
  (account_id, shipment_search_text(bill_of_lading_number, normalized_number, booking_number, ref_numbers) gin_trgm_ops)
  WITH (fastupdate = off);

-- How far a shipment is, for filtering; the same rule as shipmentStatus of packages/domain.
CREATE FUNCTION shipment_status(pol_etd_at timestamptz, pol_atd_at timestamptz, pod_ata_at timestamptz, destination_ata_at timestamptz)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN destination_ata_at IS NOT NULL THEN 'delivered_to_destination'
  WHEN pod_ata_at IS NOT NULL THEN 'arrived_at_pod'
  WHEN pol_atd_at IS NOT NULL THEN 'in_transit'
  WHEN pol_etd_at IS NOT NULL THEN 'awaiting_departure'
  ELSE 'pending' END;
CREATE INDEX shipments_status ON shipments
  (account_id, shipment_status(pol_etd_at, pol_atd_at, pod_ata_at, destination_ata_at), created_at DESC, id DESC);
CREATE INDEX shipments_stopped ON shipments (account_id, created_at DESC, id DESC) WHERE line_tracking_stopped_at IS NOT NULL;
CREATE INDEX containers_with_holds ON containers (account_id, created_at DESC, id DESC) WHERE holds_at_pod_terminal <> '[]';
CREATE INDEX containers_available ON containers (account_id, created_at DESC, id DESC) WHERE available_for_pickup;
CREATE UNIQUE INDEX parties_company_name_key ON parties (account_id, lower(company_name));

ALTER TABLE tracking_requests
  ADD CONSTRAINT tracking_requests_request_type_check CHECK (request_type IN ('bill_of_lading', 'booking_number', 'container')),
  ADD CONSTRAINT tracking_requests_status_check CHECK (status IN ('pending', 'awaiting_manifest', 'created', 'failed', 'tracking_stopped'));
ALTER TABLE shipments
  ADD CONSTRAINT shipments_stopped_check CHECK ((line_tracking_stopped_at IS NULL) = (line_tracking_stopped_reason IS NULL)),
  ADD CONSTRAINT shipments_stopped_reason_check CHECK (line_tracking_stopped_reason IN (
    'all_containers_terminated', 'past_arrival_window', 'past_full_out_window', 'no_updates_at_line', 'cancelled_by_user', 'booking_cancelled')),
  ADD CONSTRAINT shipments_destination_check CHECK (destination_port_id IS NULL OR destination_metro_area_id IS NULL);
ALTER TABLE containers
  ADD CONSTRAINT containers_current_status_check CHECK (current_status IN (
    'new', 'loaded', 'on_ship', 'grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail', 'off_dock',
    'picked_up', 'dropped', 'delivered', 'empty_returned'));
ALTER TABLE webhook_notifications
  ADD CONSTRAINT webhook_notifications_delivery_status_check CHECK (delivery_status IN ('pending', 'succeeded', 'failed'));

-- Accounts are kept apart here too (docs/adr/0012): who serves an account works as svc_tenant and sees the rows of the account
-- that its session names, whatever a statement says. The owner of the tables, as whom the workers work, sees all.
-- A role belongs to the server: another database may have made it, or be making it at this moment. Where the owner may not make
-- roles, an administrator runs these two statements before.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'svc_tenant') THEN
    BEGIN
      CREATE ROLE svc_tenant NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  IF NOT pg_has_role(CURRENT_USER, 'svc_tenant', 'SET') THEN
    GRANT svc_tenant TO CURRENT_USER WITH INHERIT FALSE, SET TRUE;
  END IF;
END $$;

-- Every table of accounts' rows that is here; a later migration that adds one repeats these three statements for it.
DO $$
DECLARE
  tenant_table regclass;
BEGIN
  FOR tenant_table IN
    SELECT a.attrelid FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'account_id' AND NOT a.attisdropped
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY own_account ON %s TO svc_tenant USING (account_id = NULLIF(current_setting(''svc.account_id'', true), '''')::uuid)',
      tenant_table);
    -- Who somebody is, is found out before the account is known, and not by svc_tenant.
    IF tenant_table NOT IN ('memberships'::regclass, 'user_sessions'::regclass, 'api_tokens'::regclass) THEN
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO svc_tenant', tenant_table);
    END IF;
  END LOOP;
END $$;
GRANT USAGE ON SCHEMA public TO svc_tenant;
GRANT SELECT ON shipping_lines, ports, port_aliases, metro_areas, terminals, vessels TO svc_tenant;

-- What is searched and listed by patterns and arrays. A policy is checked before every operator that might tell of the rows that
-- it sees, so LIKE and && could not use an index; a view of the owner has the same condition without that order. Unlike a
-- policy it refuses a session that names no account.
CREATE VIEW own_shipments AS SELECT * FROM shipments WHERE account_id = current_setting('svc.account_id')::uuid;
CREATE VIEW own_containers AS SELECT * FROM containers WHERE account_id = current_setting('svc.account_id')::uuid;
GRANT SELECT ON own_shipments, own_containers TO svc_tenant;
