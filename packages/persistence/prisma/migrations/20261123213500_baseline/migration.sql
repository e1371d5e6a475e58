-- GIN indexes over an account and its texts.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "company_name" TEXT NOT NULL,
    "features" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "erase_after" TIMESTAMPTZ(3),

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
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_sha256" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_sessions" (
    "token_sha256" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_agent" TEXT,

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
    "oauth_grant_id" TEXT,

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_records" (
    "model" TEXT NOT NULL,
    "id_sha256" BYTEA NOT NULL,
    "account_id" UUID,
    "grant_id" TEXT,
    "uid" TEXT,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_records_pkey" PRIMARY KEY ("model","id_sha256")
);

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
    "source" TEXT NOT NULL DEFAULT 'carrier',

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
    "street" TEXT,
    "city" TEXT,
    "state" TEXT,
    "state_abbr" TEXT,
    "zip" TEXT,
    "country" TEXT,
    "source" TEXT NOT NULL,

    CONSTRAINT "terminals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "vessels" (
    "id" UUID NOT NULL,
    "imo" TEXT,
    "mmsi" TEXT,
    "name" TEXT NOT NULL,
    "source" TEXT NOT NULL DEFAULT 'carrier',

    CONSTRAINT "vessels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "parties" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "company_name" TEXT NOT NULL,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "parties_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "custom_field_definitions" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "entity_type" TEXT NOT NULL,
    "api_slug" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "data_type" TEXT NOT NULL,
    "description" TEXT,
    "reference_type" TEXT,
    "validation" JSONB,
    "default_format" TEXT,
    "default_value" JSONB,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "custom_field_definitions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "custom_field_options" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "definition_id" UUID NOT NULL,
    "label" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "position" INTEGER,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "custom_field_options_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "custom_fields" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "definition_id" UUID NOT NULL,
    "entity_type" TEXT NOT NULL,
    "entity_id" UUID NOT NULL,
    "value" JSONB NOT NULL,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "custom_fields_pkey" PRIMARY KEY ("account_id","id")
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
    "initial_custom_fields" JSONB,
    "status" TEXT NOT NULL,
    "failed_reason" TEXT,
    "is_retrying" BOOLEAN NOT NULL DEFAULT false,
    "retry_count" INTEGER NOT NULL DEFAULT 0,
    "awaiting_manifest_since" TIMESTAMPTZ(3),
    "subject_id" UUID,
    "shipment_id" UUID,
    "created_by_token_id" UUID,
    "created_by_user_id" UUID,
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
    "connection_id" UUID,
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
    "retry_at" TIMESTAMPTZ(3),
    "unchanged_polls" INTEGER NOT NULL DEFAULT 0,
    "content_hash" BYTEA,
    "not_found_since" TIMESTAMPTZ(3),
    "not_found_polls" INTEGER NOT NULL DEFAULT 0,
    "progress" JSONB,
    "recheck_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tracking_subjects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "carrier_connections" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "scac" TEXT NOT NULL,
    "credential_kind" TEXT NOT NULL,
    "sealed_credentials" BYTEA NOT NULL,
    "sealed_push_secret" BYTEA NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "test_requested_at" TIMESTAMPTZ(3),
    "test_claimed_until" TIMESTAMPTZ(3),
    "last_test" JSONB,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "carrier_connections_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "carrier_connection_changes" (
    "account_id" UUID NOT NULL,
    "scac" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "done_kind" TEXT NOT NULL DEFAULT '',
    "done_number" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "carrier_connection_changes_pkey" PRIMARY KEY ("account_id","scac")
);

-- CreateTable
CREATE TABLE "carrier_access" (
    "credential" TEXT NOT NULL,
    "account_id" UUID,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "openings" INTEGER NOT NULL DEFAULT 0,
    "open_until" TIMESTAMPTZ(3),
    "probe_until" TIMESTAMPTZ(3),
    "throttles" INTEGER NOT NULL DEFAULT 0,
    "paused_until" TIMESTAMPTZ(3),
    "next_free_at" TIMESTAMPTZ(3),
    "day" TIMESTAMPTZ(3),
    "day_count" INTEGER NOT NULL DEFAULT 0,
    "away_since" TIMESTAMPTZ(3),
    "next_check_at" TIMESTAMPTZ(3),
    "failed_checks" INTEGER NOT NULL DEFAULT 0,
    "answer_count" BIGINT NOT NULL DEFAULT 0,
    "failure_count" BIGINT NOT NULL DEFAULT 0,
    "rejection_count" BIGINT NOT NULL DEFAULT 0,
    "throttle_count" BIGINT NOT NULL DEFAULT 0,
    "unrecognized_count" BIGINT NOT NULL DEFAULT 0,
    "skipped_event_count" BIGINT NOT NULL DEFAULT 0,
    "last_success_at" TIMESTAMPTZ(3),
    "last_error_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "carrier_access_pkey" PRIMARY KEY ("credential")
);

-- CreateTable
CREATE TABLE "event_messages" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "connection_id" UUID,
    "scac" TEXT NOT NULL,
    "form" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "content_hash" BYTEA NOT NULL,
    "event_count" INTEGER NOT NULL,
    "body" BYTEA NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "claimed_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "applied_count" INTEGER NOT NULL DEFAULT 0,
    "inactive_count" INTEGER NOT NULL DEFAULT 0,
    "unknown_count" INTEGER NOT NULL DEFAULT 0,
    "skipped_count" INTEGER NOT NULL DEFAULT 0,
    "new_fact_count" INTEGER NOT NULL DEFAULT 0,
    "unapplied_rows" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],

    CONSTRAINT "event_messages_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "edi_files" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT,
    "source" TEXT NOT NULL,
    "partner" TEXT NOT NULL,
    "scac" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "sender" TEXT,
    "control_number" TEXT,
    "duplicate_of" UUID,
    "result" JSONB,

    CONSTRAINT "edi_files_pkey" PRIMARY KEY ("account_id","id")
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
    "container_number" TEXT GENERATED ALWAYS AS (fact ->> 'containerNumber') STORED,

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
    "notified_pol_etd_at" TIMESTAMPTZ(3),
    "notified_pod_eta_at" TIMESTAMPTZ(3),
    "pod_ata_at" TIMESTAMPTZ(3),
    "destination_eta_at" TIMESTAMPTZ(3),
    "destination_original_eta_at" TIMESTAMPTZ(3),
    "destination_ata_at" TIMESTAMPTZ(3),
    "line_tracking_stopped_at" TIMESTAMPTZ(3),
    "line_tracking_stopped_reason" TEXT,
    "line_tracking_stopped_by_user_id" UUID,
    "line_tracking_resumed_at" TIMESTAMPTZ(3),
    "superseded_at" TIMESTAMPTZ(3),
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "change_transaction_id" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,

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
    "notified_ind_eta_at" TIMESTAMPTZ(3),
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
    "change_transaction_id" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,

    CONSTRAINT "containers_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "search_keys" (
    "account_id" UUID NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "shipment_created_at" TIMESTAMPTZ(3) NOT NULL,
    "shipment_id" UUID NOT NULL,
    "container_number" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "container_id" UUID,

    CONSTRAINT "search_keys_pkey" PRIMARY KEY ("account_id","key","shipment_created_at","shipment_id","container_number")
);

-- CreateTable
CREATE TABLE "search_texts" (
    "account_id" UUID NOT NULL,
    "shipment_created_at" TIMESTAMPTZ(3) NOT NULL,
    "shipment_id" UUID NOT NULL,
    "names" TEXT COLLATE "C" NOT NULL,
    "container_numbers" TEXT COLLATE "C" NOT NULL DEFAULT '',

    CONSTRAINT "search_texts_pkey" PRIMARY KEY ("account_id","shipment_created_at","shipment_id")
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
    "change_transaction_id" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,

    CONSTRAINT "transport_events_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "container_change_events" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "shipment_id" UUID NOT NULL,
    "container_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3),
    "time_zone" TEXT,
    "location_locode" TEXT,
    "port_id" UUID,
    "metro_area_id" UUID,
    "terminal_id" UUID,
    "vessel_id" UUID,
    "voyage_number" TEXT,
    "data_source" TEXT NOT NULL,
    "value" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "change_transaction_id" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,

    CONSTRAINT "container_change_events_pkey" PRIMARY KEY ("account_id","id")
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
CREATE TABLE "eta_samples" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "shipment_id" UUID NOT NULL,
    "shipping_line_scac" TEXT NOT NULL,
    "port_of_lading_locode" TEXT,
    "port_of_discharge_locode" TEXT NOT NULL,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,
    "eta_at" TIMESTAMPTZ(3) NOT NULL,
    "arrived_at" TIMESTAMPTZ(3),

    CONSTRAINT "eta_samples_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "exceptions" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "priority" INTEGER NOT NULL,
    "subject_id" UUID NOT NULL,
    "shipment_id" UUID,
    "container_id" UUID,
    "tracking_request_id" UUID,
    "details" JSONB NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "resolved_at" TIMESTAMPTZ(3),
    "resolution" TEXT,
    "owner_user_id" UUID,
    "snoozed_until" TIMESTAMPTZ(3),
    "note" TEXT,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "exceptions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "exception_checks" (
    "account_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "subject_type" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "is_new" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "exception_checks_pkey" PRIMARY KEY ("account_id","subject_id")
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
    "sealed_headers" BYTEA,
    "headers" JSONB NOT NULL DEFAULT '[]',
    "last_success_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "last_failure_at" TIMESTAMPTZ(3),
    "last_failure_status" INTEGER,
    "last_failure_class" TEXT,
    "warnings" INTEGER NOT NULL DEFAULT 0,
    "last_notice" TEXT,
    "last_notice_at" TIMESTAMPTZ(3),
    "slow" BOOLEAN NOT NULL DEFAULT false,
    "concurrency" INTEGER NOT NULL DEFAULT 5,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "rate_limit" INTEGER,
    "rate_limit_tat" TIMESTAMPTZ(3),
    "has_held" BOOLEAN NOT NULL DEFAULT false,
    "deactivated_at" TIMESTAMPTZ(3),
    "deactivated_reason" TEXT,
    "row_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "webhook_notices" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reason" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "consecutive_failures" INTEGER NOT NULL,
    "http_status" INTEGER,
    "error_class" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_notices_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "notification_events" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "reference_type" TEXT NOT NULL,
    "reference_id" UUID NOT NULL,
    "included" TEXT NOT NULL,
    "traceparent" TEXT,
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
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "transaction_id" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,

    CONSTRAINT "webhook_notifications_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "account_id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "delivery_status" TEXT NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "prior_attempts" INTEGER NOT NULL DEFAULT 0,
    "recovered" BOOLEAN NOT NULL DEFAULT false,
    "resend_requested" BOOLEAN NOT NULL DEFAULT false,
    "held" BOOLEAN NOT NULL DEFAULT false,
    "next_attempt_at" TIMESTAMPTZ(3),
    "claim_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("account_id","notification_id")
);

-- CreateTable
CREATE TABLE "webhook_claims" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "notification_ids" UUID[],
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_claims_pkey" PRIMARY KEY ("account_id","id")
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
    "request_headers" JSON NOT NULL,
    "response_headers" JSON,
    "response_body" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("account_id","notification_id","attempt_number","started_at")
) PARTITION BY RANGE ("started_at");

-- CreateTable
CREATE TABLE "inboxes" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "answer" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "window_count" INTEGER NOT NULL DEFAULT 0,
    "window_ends_at" TIMESTAMPTZ(3),

    CONSTRAINT "inboxes_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "inbox_requests" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "headers" JSONB NOT NULL,
    "body" TEXT NOT NULL,
    "body_bytes" INTEGER NOT NULL,
    "answer" INTEGER NOT NULL,

    CONSTRAINT "inbox_requests_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_sha256_key" ON "invitations"("token_sha256");

-- CreateIndex
CREATE INDEX "invitations_account_id_idx" ON "invitations"("account_id");

-- CreateIndex
CREATE INDEX "user_sessions_user_id_idx" ON "user_sessions"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_token_sha256_key" ON "api_tokens"("token_sha256");

-- CreateIndex
CREATE INDEX "api_tokens_account_id_idx" ON "api_tokens"("account_id");

-- CreateIndex
CREATE INDEX "api_tokens_oauth_grant_id_idx" ON "api_tokens"("oauth_grant_id");

-- CreateIndex
CREATE INDEX "oauth_records_account_id_idx" ON "oauth_records"("account_id");

-- CreateIndex
CREATE INDEX "oauth_records_grant_id_idx" ON "oauth_records"("grant_id");

-- CreateIndex
CREATE INDEX "oauth_records_uid_idx" ON "oauth_records"("uid");

-- CreateIndex
CREATE INDEX "oauth_records_expires_at_idx" ON "oauth_records"("expires_at");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

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
CREATE INDEX "parties_account_id_created_at_id_idx" ON "parties"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "custom_field_definitions_account_id_created_at_id_idx" ON "custom_field_definitions"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "custom_field_definitions_account_id_entity_type_api_slug_key" ON "custom_field_definitions"("account_id", "entity_type", "api_slug");

-- CreateIndex
CREATE UNIQUE INDEX "custom_field_options_account_id_definition_id_value_key" ON "custom_field_options"("account_id", "definition_id", "value");

-- CreateIndex
CREATE INDEX "custom_fields_account_id_created_at_id_idx" ON "custom_fields"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "custom_fields_account_id_entity_id_idx" ON "custom_fields"("account_id", "entity_id");

-- CreateIndex
CREATE UNIQUE INDEX "custom_fields_account_id_definition_id_entity_id_key" ON "custom_fields"("account_id", "definition_id", "entity_id");

-- CreateIndex
CREATE INDEX "tracking_requests_account_id_created_at_id_idx" ON "tracking_requests"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tracking_requests_account_id_status_created_at_id_idx" ON "tracking_requests"("account_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tracking_requests_account_id_normalized_number_idx" ON "tracking_requests"("account_id", "normalized_number");

-- CreateIndex
CREATE INDEX "tracking_requests_account_id_shipment_id_idx" ON "tracking_requests"("account_id", "shipment_id");

-- CreateIndex
CREATE INDEX "tracking_requests_subject_id_idx" ON "tracking_requests"("subject_id");

-- CreateIndex
CREATE INDEX "tracking_requests_account_id_updated_at_id_idx" ON "tracking_requests"("account_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tracking_requests_account_id_request_type_scac_idx" ON "tracking_requests"("account_id", "request_type", "scac");

-- CreateIndex
CREATE UNIQUE INDEX "carrier_connections_id_key" ON "carrier_connections"("id");

-- CreateIndex
CREATE UNIQUE INDEX "carrier_connections_account_id_scac_key" ON "carrier_connections"("account_id", "scac");

-- CreateIndex
CREATE INDEX "event_messages_received_at_idx" ON "event_messages"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "event_messages_account_id_channel_scac_content_hash_key" ON "event_messages"("account_id", "channel", "scac", "content_hash");

-- CreateIndex
CREATE INDEX "edi_files_account_id_sender_control_number_idx" ON "edi_files"("account_id", "sender", "control_number");

-- CreateIndex
CREATE INDEX "edi_files_received_at_idx" ON "edi_files"("received_at");

-- CreateIndex
CREATE INDEX "raw_replies_subject_id_id_idx" ON "raw_replies"("subject_id", "id");

-- CreateIndex
CREATE INDEX "observations_subject_id_container_number_id_idx" ON "observations"("subject_id", "container_number", "id");

-- CreateIndex
CREATE UNIQUE INDEX "observations_subject_id_value_hash_key" ON "observations"("subject_id", "value_hash");

-- CreateIndex
CREATE INDEX "shipments_account_id_subject_id_idx" ON "shipments"("account_id", "subject_id");

-- CreateIndex
CREATE INDEX "shipments_ref_numbers" ON "shipments" USING GIN ("account_id" uuid_ops, "ref_numbers" array_ops);

-- CreateIndex
CREATE INDEX "shipments_tags" ON "shipments" USING GIN ("account_id" uuid_ops, "tags" array_ops);

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
CREATE INDEX "shipments_account_id_created_at_id_idx" ON "shipments"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "shipments_account_id_updated_at_id_idx" ON "shipments"("account_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "shipments_account_id_change_transaction_id_id_idx" ON "shipments"("account_id", "change_transaction_id", "id");

-- CreateIndex
CREATE INDEX "containers_ref_numbers" ON "containers" USING GIN ("account_id" uuid_ops, "ref_numbers" array_ops);

-- CreateIndex
CREATE INDEX "containers_account_id_number_idx" ON "containers"("account_id", "number");

-- CreateIndex
CREATE INDEX "containers_account_id_current_status_created_at_id_idx" ON "containers"("account_id", "current_status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "containers_account_id_pickup_lfd_idx" ON "containers"("account_id", "pickup_lfd");

-- CreateIndex
CREATE INDEX "containers_account_id_created_at_id_idx" ON "containers"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "containers_account_id_updated_at_id_idx" ON "containers"("account_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "containers_account_id_change_transaction_id_id_idx" ON "containers"("account_id", "change_transaction_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "containers_account_id_shipment_id_number_key" ON "containers"("account_id", "shipment_id", "number");

-- CreateIndex
CREATE INDEX "transport_events_account_id_container_id_created_at_id_idx" ON "transport_events"("account_id", "container_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "transport_events_account_id_shipment_id_idx" ON "transport_events"("account_id", "shipment_id");

-- CreateIndex
CREATE INDEX "transport_events_account_id_change_transaction_id_id_idx" ON "transport_events"("account_id", "change_transaction_id", "id");

-- CreateIndex
CREATE INDEX "container_change_events_account_id_container_id_created_at__idx" ON "container_change_events"("account_id", "container_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "container_change_events_account_id_change_transaction_id_id_idx" ON "container_change_events"("account_id", "change_transaction_id", "id");

-- CreateIndex
CREATE INDEX "field_facts_account_id_subject_id_field_valid_from_idx" ON "field_facts"("account_id", "subject_id", "field", "valid_from" DESC);

-- CreateIndex
CREATE INDEX "eta_samples_account_id_shipment_id_idx" ON "eta_samples"("account_id", "shipment_id");

-- CreateIndex
CREATE INDEX "exceptions_account_id_shipment_id_idx" ON "exceptions"("account_id", "shipment_id");

-- CreateIndex
CREATE INDEX "exceptions_account_id_opened_at_id_idx" ON "exceptions"("account_id", "opened_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "exceptions_account_id_priority_id_idx" ON "exceptions"("account_id", "priority" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "exceptions_ended_at_idx" ON "exceptions"("ended_at");

-- CreateIndex
CREATE INDEX "exception_checks_account_id_due_at_idx" ON "exception_checks"("account_id", "due_at");

-- CreateIndex
CREATE INDEX "webhooks_account_id_created_at_id_idx" ON "webhooks"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_notices_account_id_webhook_id_created_at_id_idx" ON "webhook_notices"("account_id", "webhook_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_notifications_account_id_event_id_idx" ON "webhook_notifications"("account_id", "event", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_notifications_account_id_webhook_id_id_idx" ON "webhook_notifications"("account_id", "webhook_id", "id");

-- CreateIndex
CREATE INDEX "webhook_notifications_account_id_webhook_id_transaction_id__idx" ON "webhook_notifications"("account_id", "webhook_id", "transaction_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_notifications_account_id_event_id_webhook_id_key" ON "webhook_notifications"("account_id", "event_id", "webhook_id");

-- CreateIndex
CREATE INDEX "webhook_claims_account_id_webhook_id_idx" ON "webhook_claims"("account_id", "webhook_id");

-- CreateIndex
CREATE UNIQUE INDEX "inboxes_key_key" ON "inboxes"("key");

-- CreateIndex
CREATE INDEX "inboxes_expires_at_idx" ON "inboxes"("expires_at");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "custom_field_options" ADD CONSTRAINT "custom_field_options_account_id_definition_id_fkey" FOREIGN KEY ("account_id", "definition_id") REFERENCES "custom_field_definitions"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_account_id_definition_id_fkey" FOREIGN KEY ("account_id", "definition_id") REFERENCES "custom_field_definitions"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "containers" ADD CONSTRAINT "containers_account_id_shipment_id_fkey" FOREIGN KEY ("account_id", "shipment_id") REFERENCES "shipments"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_notifications" ADD CONSTRAINT "webhook_notifications_account_id_event_id_fkey" FOREIGN KEY ("account_id", "event_id") REFERENCES "notification_events"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbox_requests" ADD CONSTRAINT "inbox_requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "inboxes"("account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- ----------------------------------------------------------------------------------------------------------------
-- Below this line: what Prisma's schema language cannot express. Prisma's diff ignores partial and expression indexes,
-- checks, views and functions, so `prisma migrate diff` stays clean. Collations and partitioning above were added to
-- what Prisma generates.

-- ---------------------------------------------------------------- rules of the rows

CREATE UNIQUE INDEX users_email_key ON users (lower(email));
CREATE UNIQUE INDEX parties_company_name_key ON parties (account_id, lower(company_name));

-- The same number and SCAC once while it is pending, awaiting its manifest or created.
CREATE UNIQUE INDEX tracking_requests_live_key ON tracking_requests (account_id, scac, normalized_number)
  WHERE status IN ('pending', 'awaiting_manifest', 'created');

-- A container number is tracked again for its next voyage: with a subject and a shipment of its own, so that those of the voyage
-- before stay as they were. Only one of each is current.
CREATE UNIQUE INDEX tracking_subjects_current_number_key ON tracking_subjects (account_id, scac, kind, number)
  WHERE retired_at IS NULL;
CREATE UNIQUE INDEX shipments_current_number_key ON shipments (account_id, shipping_line_scac, normalized_number)
  WHERE superseded_at IS NULL;

-- What identifies a place or vessel that a carrier named before the reference data did. Who such a row comes from is its source:
-- "core" (the operator's reference data), "carrier" (a reply of a carrier of the service), or "account" (an import or a push of one
-- account, which names nothing for others).
CREATE UNIQUE INDEX vessels_name_without_imo_key ON vessels (upper(name)) WHERE imo IS NULL;
CREATE UNIQUE INDEX terminals_bic_facility_code_key ON terminals (bic_facility_code) WHERE bic_facility_code IS NOT NULL;
CREATE UNIQUE INDEX terminals_metro_area_smdg_code_key ON terminals (metro_area_id, smdg_code)
  WHERE metro_area_id IS NOT NULL AND smdg_code IS NOT NULL;

-- One live version of each milestone; a correction invalidates the row and adds another.
CREATE UNIQUE INDEX transport_events_live_key ON transport_events (account_id, container_id, milestone_key)
  WHERE invalidated_at IS NULL;
CREATE UNIQUE INDEX field_facts_current_key ON field_facts (account_id, subject_id, field) WHERE superseded_at IS NULL;

-- A suspended account neither signs in, polls nor delivers. A closed one is suspended, and erased after a grace period.
ALTER TABLE accounts
  ADD CONSTRAINT accounts_closed_check CHECK ((closed_at IS NULL) = (erase_after IS NULL)),
  ADD CONSTRAINT accounts_suspended_check CHECK (closed_at IS NULL OR suspended_at IS NOT NULL);
ALTER TABLE invitations ADD CONSTRAINT invitations_role_check CHECK (role IN ('owner', 'member'));
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
ALTER TABLE custom_field_definitions
  ADD CONSTRAINT custom_field_definitions_entity_type_check CHECK (entity_type IN ('Shipment', 'Container', 'TrackingRequest')),
  ADD CONSTRAINT custom_field_definitions_reference_type_check CHECK ((data_type = 'reference') = (reference_type IS NOT NULL));
ALTER TABLE webhooks ADD CONSTRAINT webhooks_rate_limit_check CHECK (rate_limit BETWEEN 1 AND 10000);
ALTER TABLE webhook_notices
  ADD CONSTRAINT webhook_notices_kind_check CHECK (kind IN ('failing', 'deactivated', 'recovered'));
ALTER TABLE webhook_deliveries
  ADD CONSTRAINT webhook_deliveries_delivery_status_check CHECK (delivery_status IN ('pending', 'failed')),
  ADD CONSTRAINT webhook_deliveries_next_attempt_check CHECK ((delivery_status = 'pending') = (next_attempt_at IS NOT NULL)),
  ADD CONSTRAINT webhook_deliveries_held_check CHECK (NOT held OR next_attempt_at IS NOT NULL);

-- ---------------------------------------------------------------- tracking

-- What is due by each credential: one that is paused, open or has spent its budget is skipped without reading its backlog.
CREATE INDEX tracking_subjects_due_by_credential ON tracking_subjects (COALESCE(connection_id::text, scac), next_poll_at)
  WHERE next_poll_at IS NOT NULL;
-- Accounts that share a credential are served in turn: a loose index scan finds them.
CREATE INDEX tracking_subjects_shared_due_by_account ON tracking_subjects (scac, account_id, next_poll_at)
  WHERE next_poll_at IS NOT NULL AND connection_id IS NULL;
-- The subjects of a carrier that is away, which are polled again when it returns, and the next check whether it has.
CREATE INDEX tracking_subjects_failing ON tracking_subjects (COALESCE(connection_id::text, scac))
  WHERE consecutive_failures > 0;
CREATE INDEX carrier_access_next_check ON carrier_access (next_check_at) WHERE next_check_at IS NOT NULL;
-- Terminals are polled for containers: the number of such a subject is the container's id.
CREATE INDEX tracking_subjects_terminal ON tracking_subjects (account_id, number) WHERE kind = 'terminal_container';
-- Room on each page for the claims of a subject: a claim changes no indexed column, so it stays on its page and writes no index.
ALTER TABLE tracking_subjects SET (fillfactor = 70);
-- Requests whose carrier the tracking worker has still to detect. Few at any time, and polled often; by account in turn, so that
-- one with thousands of requests delays no other.
CREATE INDEX tracking_requests_undetected ON tracking_requests (account_id, created_at) WHERE scac IS NULL AND status = 'pending';
-- Requests that wait for their shipment, for the repair of those that nothing polls.
CREATE INDEX tracking_requests_waiting ON tracking_requests (subject_id) WHERE status IN ('pending', 'awaiting_manifest');
-- Waiting messages are claimed by account in turn, the oldest of each account first. While one is claimed by any worker
-- (claimed_until), the later ones of its account are not, so that they are applied in the order of their receipt.
CREATE INDEX event_messages_due_by_account ON event_messages (account_id, due_at) WHERE due_at IS NOT NULL;
-- Test calls of carrier connections: requested by the API, made by the tracking worker.
CREATE INDEX carrier_connections_requested_tests ON carrier_connections (test_requested_at) WHERE test_requested_at IS NOT NULL;

-- A subject is polled through its account's own connection from the start, whichever statement inserts it.
CREATE FUNCTION use_own_connection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.connection_id := (
    SELECT id FROM carrier_connections WHERE account_id = NEW.account_id AND scac = NEW.scac AND active);
  RETURN NEW;
END $$;
CREATE TRIGGER tracking_subjects_use_own_connection BEFORE INSERT ON tracking_subjects
  FOR EACH ROW EXECUTE FUNCTION use_own_connection();

-- Which container left a port on a vessel, for the times of the vessel's voyage.
CREATE INDEX transport_events_departures ON transport_events (account_id, vessel_id, port_id, occurred_at)
  WHERE invalidated_at IS NULL AND event IN ('vessel_departed', 'transshipment_departed', 'feeder_departed');

-- The newest estimates of each lane that an arrival has closed; an estimate received after the arrival predicted nothing.
-- CASE, since PostgreSQL does not treat COALESCE as leakproof and uses no index on it under a row-level security policy.
CREATE INDEX eta_samples_closed ON eta_samples (account_id, shipping_line_scac,
  (CASE WHEN port_of_lading_locode IS NULL THEN '' ELSE port_of_lading_locode END), port_of_discharge_locode, arrived_at DESC)
  WHERE arrived_at > observed_at;

-- ---------------------------------------------------------------- lists and filters

CREATE INDEX shipments_stopped ON shipments (account_id, created_at DESC, id DESC) WHERE line_tracking_stopped_at IS NOT NULL;
CREATE INDEX containers_with_holds ON containers (account_id, created_at DESC, id DESC) WHERE holds_at_pod_terminal <> '[]';
CREATE INDEX containers_available ON containers (account_id, created_at DESC, id DESC) WHERE available_for_pickup;

-- The status of a shipment, for filtering; the same rule as shipmentStatus of packages/domain.
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

-- When a shipment arrives, for filtering and sorting; the same rule as shipmentArrival of packages/domain. An unknown arrival
-- sorts after every time, so that each shipment has its place in the order.
CREATE FUNCTION shipment_arrival(destination_ata_at timestamptz, destination_eta_at timestamptz, pod_ata_at timestamptz, pod_eta_at timestamptz)
RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN COALESCE(destination_ata_at, destination_eta_at, pod_ata_at, pod_eta_at, timestamptz '9999-12-31 23:59:59.999+00');
CREATE INDEX shipments_arrival ON shipments
  (account_id, shipment_arrival(destination_ata_at, destination_eta_at, pod_ata_at, pod_eta_at), id);

-- The transport events that the API lists: milestones, and changes of estimates, deadlines and appointments. The policies of
-- both tables hold, because the view reads with the rights of the role that asks.
CREATE VIEW listed_transport_events WITH (security_invoker = true) AS
SELECT account_id, id, shipment_id, container_id, event, occurred_at, time_zone, time_precision, location_locode, port_id,
  metro_area_id, terminal_id, vessel_id, voyage_number, data_source, observation_id, previous_version_id, invalidated_at,
  NULL::timestamptz(3) AS value, created_at, change_transaction_id
FROM transport_events
UNION ALL
SELECT account_id, id, shipment_id, container_id, event, occurred_at, time_zone, 'exact', location_locode, port_id,
  metro_area_id, terminal_id, vessel_id, voyage_number, data_source, NULL::uuid, NULL::uuid, NULL::timestamptz(3),
  value, created_at, change_transaction_id
FROM container_change_events;

-- ---------------------------------------------------------------- order of changes (docs/adr/0013)

-- change_transaction_id is the transaction that wrote a row last. Exports read rows in its order, so that a reader misses no
-- change.
CREATE FUNCTION set_change_transaction_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.change_transaction_id := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;

CREATE TRIGGER set_change_transaction_id BEFORE UPDATE ON shipments
  FOR EACH ROW EXECUTE FUNCTION set_change_transaction_id();
CREATE TRIGGER set_change_transaction_id BEFORE UPDATE ON containers
  FOR EACH ROW EXECUTE FUNCTION set_change_transaction_id();
CREATE TRIGGER set_change_transaction_id BEFORE UPDATE ON transport_events
  FOR EACH ROW EXECUTE FUNCTION set_change_transaction_id();
CREATE TRIGGER set_change_transaction_id BEFORE UPDATE ON container_change_events
  FOR EACH ROW EXECUTE FUNCTION set_change_transaction_id();

-- ---------------------------------------------------------------- webhook deliveries

-- What waits for each webhook, and when the next delivery is due. Neither index has claim_id, and a claim changes nothing else:
-- its update stays on the page, which has room for it, and writes no index. A recovery makes many deliveries due at one instant.
-- An index that deduplicates equal keys keeps such an entry until all of its rows are dead, so that each claim would visit every
-- row delivered since the last vacuum. Deliveries of paused and disabled webhooks are held: they leave the indexes that every claim
-- reads (docs/adr/0021).
CREATE INDEX webhook_deliveries_lane ON webhook_deliveries (account_id, webhook_id, recovered, next_attempt_at)
  WITH (deduplicate_items = off) WHERE next_attempt_at IS NOT NULL AND NOT held;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at)
  WITH (deduplicate_items = off) WHERE next_attempt_at IS NOT NULL AND NOT held;
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (account_id, webhook_id, next_attempt_at) WHERE held;
CREATE INDEX webhooks_with_held ON webhooks (account_id, id) WHERE has_held;
CREATE INDEX webhooks_to_resume ON webhooks (account_id, id)
  WHERE has_held AND (deleted_at IS NOT NULL OR (active AND NOT paused));
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (account_id, notification_id DESC) WHERE delivery_status = 'failed';
CREATE INDEX webhooks_active ON webhooks (account_id) WHERE active AND deleted_at IS NULL;
ALTER TABLE webhook_deliveries SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE webhook_claims SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
                                autovacuum_vacuum_cost_delay = 0);

-- Attempts are partitioned by week, so that retention drops tables. Partitions are in a schema of their own: only the owner
-- reads one by itself.
CREATE SCHEMA webhook_attempts_parts;
CREATE TABLE webhook_attempts_parts.others PARTITION OF webhook_attempts DEFAULT;

-- Creates the partition of the week that begins on the Monday; returns whether it was missing. Attempts of that week that were
-- logged into the default partition move to it: after weeks without a worker, one may be logged before its partition exists.
CREATE FUNCTION create_webhook_attempts_part(monday date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  part text := format('webhook_attempts_parts.week_%s', to_char(monday, 'YYYY_MM_DD'));
  first timestamptz := monday::timestamp AT TIME ZONE 'UTC';
  beyond timestamptz := (monday + 7)::timestamp AT TIME ZONE 'UTC';
BEGIN
  IF to_regclass(part) IS NOT NULL THEN RETURN false; END IF;
  LOCK TABLE webhook_attempts_parts.others IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('CREATE TABLE %s (LIKE webhook_attempts INCLUDING ALL)', part);
  EXECUTE format('WITH moved AS (
                    DELETE FROM webhook_attempts_parts.others WHERE started_at >= %L AND started_at < %L RETURNING *)
                  INSERT INTO %s SELECT * FROM moved', first, beyond, part);
  EXECUTE format('ALTER TABLE webhook_attempts ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', part, first, beyond);
  RETURN true;
END $$;

-- Drops the partitions of weeks that ended longer ago than the retention; returns how many.
CREATE FUNCTION drop_webhook_attempts_parts(retention_days integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  part regclass;
  dropped integer := 0;
BEGIN
  FOR part IN
    SELECT inhrelid FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'webhook_attempts'::regclass AND relname LIKE 'week\_%'
       AND to_date(substr(relname, 6), 'YYYY_MM_DD') + 7 <= (now() AT TIME ZONE 'UTC')::date - retention_days
  LOOP
    EXECUTE format('DROP TABLE %s', part);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

SELECT create_webhook_attempts_part(week::date)
  FROM generate_series(
    date_trunc('week', now() AT TIME ZONE 'UTC'), now() AT TIME ZONE 'UTC' + interval '4 weeks', interval '1 week') AS week;

-- ---------------------------------------------------------------- exceptions

-- A condition has one record for as long as it lasts, also when it is resolved by hand before it ends.
CREATE UNIQUE INDEX exceptions_current_key ON exceptions (account_id, subject_id, kind) WHERE ended_at IS NULL;
CREATE INDEX exceptions_unresolved ON exceptions (account_id, priority DESC, id DESC) WHERE resolved_at IS NULL;
ALTER TABLE exceptions
  ADD CONSTRAINT exceptions_subject_check CHECK ((shipment_id IS NULL) <> (tracking_request_id IS NULL)),
  ADD CONSTRAINT exceptions_ended_check CHECK (ended_at IS NULL OR resolved_at IS NOT NULL),
  ADD CONSTRAINT exceptions_resolution_check CHECK ((resolved_at IS NULL) = (resolution IS NULL));
-- Each check is updated whenever its shipment changes.
ALTER TABLE exception_checks SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- A change makes its check due at once, in the transaction of the change, whichever statement it is. `-infinity` is due on every
-- clock: the triggers do not know the tracking clock.
CREATE FUNCTION check_exceptions_of(account uuid, subject uuid, kind text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO exception_checks AS c (account_id, subject_id, subject_type, due_at) VALUES (account, subject, kind, '-infinity')
  ON CONFLICT (account_id, subject_id) DO UPDATE SET due_at = '-infinity' WHERE c.due_at > '-infinity'
$$;
-- The conditions that a shipment has when its tracking begins are not notified (docs/exceptions.md).
CREATE FUNCTION check_added_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO exception_checks AS c (account_id, subject_id, subject_type, due_at, is_new)
  VALUES (NEW.account_id, NEW.id, 'shipment', '-infinity', true)
  ON CONFLICT (account_id, subject_id) DO UPDATE SET due_at = '-infinity', is_new = true;
  RETURN NULL;
END $$;
CREATE FUNCTION check_changed_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_exceptions_of(NEW.account_id, NEW.id, 'shipment');
  RETURN NULL;
END $$;
CREATE FUNCTION check_changed_container() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_exceptions_of(NEW.account_id, NEW.shipment_id, 'shipment');
  RETURN NULL;
END $$;
-- A request replaces a failed one of the same number.
CREATE FUNCTION check_changed_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_exceptions_of(NEW.account_id, NEW.id, 'tracking_request');
  UPDATE exception_checks c SET due_at = '-infinity' FROM tracking_requests r
  WHERE TG_OP = 'INSERT' AND r.account_id = NEW.account_id AND r.normalized_number = NEW.normalized_number AND r.status = 'failed'
    AND c.account_id = r.account_id AND c.subject_id = r.id AND c.due_at > '-infinity';
  RETURN NULL;
END $$;
CREATE TRIGGER exceptions_shipment_added AFTER INSERT ON shipments FOR EACH ROW EXECUTE FUNCTION check_added_shipment();
CREATE TRIGGER exceptions_shipment_changed AFTER UPDATE ON shipments FOR EACH ROW
  WHEN ((OLD.pod_eta_at, OLD.pod_original_eta_at, OLD.pod_ata_at, OLD.destination_eta_at, OLD.destination_original_eta_at,
      OLD.destination_ata_at, OLD.port_of_lading_id, OLD.port_of_discharge_id, OLD.pod_voyage_number, OLD.pol_etd_at,
      OLD.pol_atd_at, OLD.pod_vessel_id, OLD.line_tracking_stopped_at, OLD.subject_id)
    IS DISTINCT FROM (NEW.pod_eta_at, NEW.pod_original_eta_at, NEW.pod_ata_at, NEW.destination_eta_at,
      NEW.destination_original_eta_at, NEW.destination_ata_at, NEW.port_of_lading_id, NEW.port_of_discharge_id,
      NEW.pod_voyage_number, NEW.pol_etd_at, NEW.pol_atd_at, NEW.pod_vessel_id, NEW.line_tracking_stopped_at, NEW.subject_id))
  EXECUTE FUNCTION check_changed_shipment();
CREATE TRIGGER exceptions_container_added AFTER INSERT ON containers FOR EACH ROW EXECUTE FUNCTION check_changed_container();
CREATE TRIGGER exceptions_container_changed AFTER UPDATE ON containers FOR EACH ROW
  WHEN ((OLD.pickup_lfd, OLD.pickup_lfd_terminal, OLD.pickup_lfd_rail, OLD.pickup_lfd_line, OLD.holds_at_pod_terminal,
      OLD.fees_at_pod_terminal, OLD.pod_full_out_at, OLD.final_destination_full_out_at, OLD.empty_terminated_at, OLD.current_status)
    IS DISTINCT FROM (NEW.pickup_lfd, NEW.pickup_lfd_terminal, NEW.pickup_lfd_rail, NEW.pickup_lfd_line, NEW.holds_at_pod_terminal,
      NEW.fees_at_pod_terminal, NEW.pod_full_out_at, NEW.final_destination_full_out_at, NEW.empty_terminated_at, NEW.current_status))
  EXECUTE FUNCTION check_changed_container();
CREATE TRIGGER exceptions_request_added AFTER INSERT ON tracking_requests FOR EACH ROW EXECUTE FUNCTION check_changed_request();
CREATE TRIGGER exceptions_request_changed AFTER UPDATE ON tracking_requests FOR EACH ROW
  WHEN ((OLD.status, OLD.awaiting_manifest_since) IS DISTINCT FROM (NEW.status, NEW.awaiting_manifest_since))
  EXECUTE FUNCTION check_changed_request();

-- ---------------------------------------------------------------- search

-- Format characters (Unicode category Cf) come along when a reference is copied from a mail or a chat: they are removed from
-- every text that is compared.
CREATE FUNCTION without_unseen(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(value, '[\u00AD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB\U000110BD\U000110CD\U00013430-\U0001343F\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0001\U000E0020-\U000E007F]', '', 'g');

-- The forms in which numbers and references are compared; the same as searchText and normalizeContainerNumber of
-- packages/domain. The collation is named, so that every server folds case alike, whatever its locale.
CREATE FUNCTION search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN upper(btrim(normalize(without_unseen(value), NFKC)) COLLATE pg_unicode_fast);

CREATE FUNCTION search_number(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN translate(search_text(value), E' \t\n\r\v\f-./_', '');

CREATE FUNCTION reference_keys(ref_numbers text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 5000
RETURN ARRAY(SELECT 'reference:' || search_text(reference) FROM unnest(ref_numbers) AS reference);

-- The exact search keys of a shipment: its numbers and its references, with a prefix for each kind. The costs are high, so that
-- the planner reads stored results from indexes and does not compute them for every row.
CREATE FUNCTION shipment_keys(bill_of_lading_number text, normalized_number text, booking_number text, ref_numbers text[])
RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 5000
RETURN reference_keys(ref_numbers) || ARRAY(
  SELECT DISTINCT 'number:' || search_number(number)
  FROM unnest(ARRAY[bill_of_lading_number, normalized_number, booking_number]) AS number WHERE number IS NOT NULL);

-- The text in which parts of a shipment's numbers and references are found: one a line.
CREATE FUNCTION shipment_search_text(bill_of_lading_number text, normalized_number text, booking_number text, ref_numbers text[])
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 5000
RETURN search_text(array_to_string(ARRAY[bill_of_lading_number, normalized_number, booking_number] || ref_numbers, E'\n'));

-- search_keys holds what shipments and containers are found by exactly, one row for each, in the order in which the first is
-- chosen: a GIN index over the arrays would collect all shipments that share a reference and sort them before the first is
-- known. Triggers write it in the transaction of the row, so that what was just edited is found. container_number is empty
-- where the key is of the shipment itself.
CREATE FUNCTION add_shipment_search_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id)
  SELECT DISTINCT s.account_id, key, s.created_at, s.id FROM added s CROSS JOIN unnest(
    shipment_keys(s.bill_of_lading_number, s.normalized_number, s.booking_number, s.ref_numbers)) AS key;
  RETURN NULL;
END $$;
CREATE FUNCTION add_container_search_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id, container_number, container_id)
  SELECT DISTINCT c.account_id, key, s.created_at, s.id, c.number, c.id
  FROM added c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
  CROSS JOIN unnest(reference_keys(c.ref_numbers)) AS key;
  RETURN NULL;
END $$;
CREATE FUNCTION change_shipment_search_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_keys k
  WHERE k.account_id = OLD.account_id AND k.shipment_created_at = OLD.created_at AND k.shipment_id = OLD.id
    AND k.container_number = '' AND k.key = ANY (
      shipment_keys(OLD.bill_of_lading_number, OLD.normalized_number, OLD.booking_number, OLD.ref_numbers));
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id)
    SELECT DISTINCT NEW.account_id, key, NEW.created_at, NEW.id FROM unnest(
      shipment_keys(NEW.bill_of_lading_number, NEW.normalized_number, NEW.booking_number, NEW.ref_numbers)) AS key;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION change_container_search_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The shipment may be gone, and with it the time that leads the key's order.
  DELETE FROM search_keys k
  WHERE k.account_id = OLD.account_id AND k.key = ANY (reference_keys(OLD.ref_numbers)) AND k.container_id = OLD.id;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO search_keys (account_id, key, shipment_created_at, shipment_id, container_number, container_id)
    SELECT DISTINCT NEW.account_id, key, s.created_at, s.id, NEW.number, NEW.id
    FROM shipments s CROSS JOIN unnest(reference_keys(NEW.ref_numbers)) AS key
    WHERE s.account_id = NEW.account_id AND s.id = NEW.shipment_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER search_keys_added AFTER INSERT ON shipments REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_shipment_search_keys();
CREATE TRIGGER search_keys_changed AFTER UPDATE ON shipments FOR EACH ROW
  WHEN (OLD.ref_numbers IS DISTINCT FROM NEW.ref_numbers OR OLD.booking_number IS DISTINCT FROM NEW.booking_number
    OR OLD.bill_of_lading_number <> NEW.bill_of_lading_number OR OLD.normalized_number <> NEW.normalized_number)
  EXECUTE FUNCTION change_shipment_search_keys();
CREATE TRIGGER search_keys_removed AFTER DELETE ON shipments
  FOR EACH ROW EXECUTE FUNCTION change_shipment_search_keys();
CREATE TRIGGER search_keys_added AFTER INSERT ON containers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_container_search_keys();
CREATE TRIGGER search_keys_changed AFTER UPDATE ON containers FOR EACH ROW
  WHEN (OLD.ref_numbers IS DISTINCT FROM NEW.ref_numbers OR OLD.number <> NEW.number)
  EXECUTE FUNCTION change_container_search_keys();
CREATE TRIGGER search_keys_removed AFTER DELETE ON containers
  FOR EACH ROW EXECUTE FUNCTION change_container_search_keys();

-- search_texts holds what shipments are found by in part, one narrow row for each: the newest thousand of an account are read
-- and compared in a millisecond. From the wide rows of shipments and their containers, two hundred took several. names has the
-- shipment's numbers and references, container_numbers those of its containers, one a line.
CREATE FUNCTION container_numbers_of(account uuid, shipment uuid) RETURNS text LANGUAGE sql STABLE
RETURN (SELECT COALESCE(string_agg(c.number, E'\n' ORDER BY c.number), '') FROM containers c
  WHERE c.account_id = account AND c.shipment_id = shipment);

CREATE FUNCTION add_shipment_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_texts (account_id, shipment_created_at, shipment_id, names)
  SELECT s.account_id, s.created_at, s.id,
    shipment_search_text(s.bill_of_lading_number, s.normalized_number, s.booking_number, s.ref_numbers)
  FROM added s;
  RETURN NULL;
END $$;
CREATE FUNCTION change_shipment_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    UPDATE search_texts SET names =
      shipment_search_text(NEW.bill_of_lading_number, NEW.normalized_number, NEW.booking_number, NEW.ref_numbers)
    WHERE account_id = NEW.account_id AND shipment_created_at = NEW.created_at AND shipment_id = NEW.id;
  ELSE
    DELETE FROM search_texts
    WHERE account_id = OLD.account_id AND shipment_created_at = OLD.created_at AND shipment_id = OLD.id;
  END IF;
  RETURN NULL;
END $$;

-- The row is locked before the containers are read, in a statement of its own: a transaction that waited for another one's
-- containers of the same shipment sees them. A shipment that is deleted with its containers has no row by now.
CREATE FUNCTION write_container_numbers(account uuid, shipment uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made_at timestamptz(3);
BEGIN
  SELECT s.created_at INTO made_at FROM shipments s WHERE s.account_id = account AND s.id = shipment;
  PERFORM FROM search_texts t
    WHERE t.account_id = account AND t.shipment_created_at = made_at AND t.shipment_id = shipment FOR NO KEY UPDATE;
  UPDATE search_texts t SET container_numbers = container_numbers_of(account, shipment)
    WHERE t.account_id = account AND t.shipment_created_at = made_at AND t.shipment_id = shipment;
END $$;
-- One shipment after the other, in one order: a plan for all at once would be cached from the first call, for one.
CREATE FUNCTION add_container_search_texts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  boxed record;
BEGIN
  FOR boxed IN SELECT DISTINCT account_id, shipment_id FROM added ORDER BY account_id, shipment_id LOOP
    PERFORM write_container_numbers(boxed.account_id, boxed.shipment_id);
  END LOOP;
  RETURN NULL;
END $$;
CREATE FUNCTION change_container_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_container_numbers(OLD.account_id, OLD.shipment_id);
  RETURN NULL;
END $$;

CREATE TRIGGER search_texts_added AFTER INSERT ON shipments REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_shipment_search_text();
CREATE TRIGGER search_texts_changed AFTER UPDATE ON shipments FOR EACH ROW
  WHEN (OLD.ref_numbers IS DISTINCT FROM NEW.ref_numbers OR OLD.booking_number IS DISTINCT FROM NEW.booking_number
    OR OLD.bill_of_lading_number <> NEW.bill_of_lading_number OR OLD.normalized_number <> NEW.normalized_number)
  EXECUTE FUNCTION change_shipment_search_text();
CREATE TRIGGER search_texts_removed AFTER DELETE ON shipments
  FOR EACH ROW EXECUTE FUNCTION change_shipment_search_text();
CREATE TRIGGER search_texts_added AFTER INSERT ON containers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_container_search_texts();
CREATE TRIGGER search_texts_changed AFTER UPDATE ON containers FOR EACH ROW
  WHEN (OLD.number <> NEW.number) EXECUTE FUNCTION change_container_search_text();
CREATE TRIGGER search_texts_removed AFTER DELETE ON containers
  FOR EACH ROW EXECUTE FUNCTION change_container_search_text();

-- A policy is checked before every operator that is not leakproof, so LIKE and && could not use an index; a view of the owner
-- has the same condition without that order. Unlike a policy it refuses a session that names no account.
CREATE VIEW own_shipments AS SELECT * FROM shipments WHERE account_id = current_setting('svc.account_id')::uuid;
CREATE VIEW own_containers AS SELECT * FROM containers WHERE account_id = current_setting('svc.account_id')::uuid;
CREATE VIEW own_search_texts AS SELECT * FROM search_texts WHERE account_id = current_setting('svc.account_id')::uuid;

-- Parts of numbers and references are looked up by pieces of five characters, each marked with its account, so that the list
-- of a piece is as long as this one account makes it, and two or three short lists identify what is meant. Trigrams were shared
-- by all accounts, and of digits there are only a thousand.

-- The pieces that begin at each character of each line; at its end they are shorter, so that every part of three or four
-- characters begins one. `n` marks those of names, `c` those of containers' numbers. An account is marked by the end of its id:
-- that of another may be the same, so what is found is compared.
CREATE FUNCTION search_pieces(account uuid, names text, container_numbers text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(ARRAY(
  SELECT right(account::text, 4) || kind || substr(line, start, 5)
  FROM (VALUES ('n', names), ('c', container_numbers)) AS texts (kind, lines)
  CROSS JOIN string_to_table(lines, E'\n') AS line
  CROSS JOIN generate_series(1, length(line) - 2) AS start));

-- A query for as few pieces as cover the part: a line with the part has them all. Null for a part that is too short.
CREATE FUNCTION search_pieces_of(account uuid, kind text, part text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN length(part) >= 3 THEN (
  SELECT string_agg(
    '''' || replace(replace(right(account::text, 4) || kind || substr(part, start, 5), '\', '\\'), '''', '''''') || ''''
      || CASE WHEN length(part) < 5 THEN ':*' ELSE '' END, ' & ')
  FROM (SELECT DISTINCT greatest(1, least(n, length(part) - 4)) AS start FROM generate_series(1, length(part), 5) AS n)
  )::tsquery END;

-- Without a pending list, which every search would have to read, and without statistics, for which the pieces of 30,000 rows
-- would be computed: nothing is planned by them.
CREATE INDEX search_texts_pieces ON search_texts USING gin (search_pieces(account_id, names, container_numbers))
  WITH (fastupdate = off);
ALTER INDEX search_texts_pieces ALTER COLUMN 1 SET STATISTICS 0;
-- As own_search_texts, for the search by pieces. IS TRUE keeps the condition from the primary key, by which all texts of the
-- account would be read; in a SELECT the setting is read once and not for each row.
CREATE VIEW own_search_pieces AS
SELECT account_id, shipment_created_at, shipment_id, names, container_numbers,
  search_pieces(account_id, names, container_numbers) AS pieces
FROM search_texts WHERE (account_id = (SELECT current_setting('svc.account_id')::uuid)) IS TRUE;

-- How many of the account's newest shipments are searched before all others. What many shipments have is found there at once and
-- in order; what these lack is rare enough to be collected and sorted. One or two characters are searched nowhere else.
CREATE FUNCTION newest_searched(number_asked text, text_asked text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN length(number_asked) < 3 OR length(text_asked) < 3 THEN 1000 ELSE 250 END;

-- The newest shipments that have one part in their containers' numbers or the other in their names, `wanted` at most. A part that
-- is null or too short matches nothing.
--
-- This and the next are functions because their steps are then planned once for a connection, for any account and text: there
-- is one useful plan, and planning took longer than executing it.
CREATE FUNCTION find_by_pieces(account uuid, number_part text, name_part text, wanted integer)
RETURNS TABLE (made_at timestamptz(3), found_id uuid) LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  asked_numbers tsquery := search_pieces_of(account, 'c', number_part);
  asked_names tsquery := search_pieces_of(account, 'n', name_part);
  asked tsquery := COALESCE(asked_numbers || asked_names, asked_numbers, asked_names);
BEGIN
  RETURN QUERY
    SELECT t.shipment_created_at, t.shipment_id FROM own_search_pieces t
    WHERE t.pieces @@ asked AND (strpos(t.container_numbers, number_part) > 0 OR strpos(t.names, name_part) > 0)
    ORDER BY t.shipment_created_at DESC, t.shipment_id DESC LIMIT wanted;
END $$;

-- The candidates for a query, by the first rule of the deep link that matches: three at most, the newest first, and of
-- the containers of a shipment that have the part the one with the smallest number. A rule is tried when those before it matched
-- nothing. The number comes as containers' numbers are compared; shipments' are without dots, slashes and underscores too.
CREATE FUNCTION find_candidates(account uuid, number_asked text, text_asked text)
RETURNS TABLE (found_shipment uuid, found_container uuid) LANGUAGE plpgsql STABLE ROWS 3
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  newest integer := newest_searched(number_asked, text_asked);
  recent record;
  boxed uuid[] := '{}';
  named uuid[] := '{}';
BEGIN
  RETURN QUERY
    SELECT c.shipment_id, c.id FROM own_containers c CROSS JOIN LATERAL (
      SELECT s.created_at FROM own_shipments s WHERE s.account_id = account AND s.id = c.shipment_id LIMIT 1) AS shipment
    WHERE c.account_id = account AND c.number = number_asked
    ORDER BY shipment.created_at DESC, c.shipment_id DESC LIMIT 3;
  IF FOUND THEN RETURN; END IF;

  RETURN QUERY
    SELECT called.shipment_id, called.container_id
    FROM unnest(ARRAY['reference:' || text_asked, 'number:' || NULLIF(search_number(number_asked), '')]) AS wanted CROSS JOIN LATERAL (
      SELECT k.* FROM search_keys k WHERE k.account_id = account AND k.key = wanted
      ORDER BY k.shipment_created_at DESC, k.shipment_id DESC, k.container_number LIMIT 3) AS called
    ORDER BY called.shipment_created_at DESC, called.shipment_id DESC, called.container_number LIMIT 3;
  IF FOUND THEN RETURN; END IF;

  -- Row by row: of what the newest have already, no more is read.
  FOR recent IN
    SELECT t.shipment_id, strpos(t.container_numbers, number_asked) > 0 AS is_boxed FROM (
      SELECT n.* FROM own_search_texts n WHERE n.account_id = account
      ORDER BY n.shipment_created_at DESC, n.shipment_id DESC LIMIT newest) AS t
    WHERE strpos(t.container_numbers, number_asked) > 0 OR strpos(t.names, text_asked) > 0
    ORDER BY t.shipment_created_at DESC, t.shipment_id DESC
  LOOP
    IF recent.is_boxed THEN
      boxed := boxed || recent.shipment_id;
      EXIT WHEN cardinality(boxed) = 3;
    ELSIF cardinality(named) < 3 THEN
      named := named || recent.shipment_id;
    END IF;
  END LOOP;
  IF boxed = '{}' THEN
    boxed := ARRAY(SELECT found_id FROM find_by_pieces(account, number_asked, NULL, 3));
  END IF;
  IF boxed = '{}' AND named = '{}' THEN
    named := ARRAY(SELECT found_id FROM find_by_pieces(account, NULL, text_asked, 3));
  END IF;

  RETURN QUERY
    SELECT id, (
      SELECT c.id FROM own_containers c
      WHERE c.account_id = account AND c.shipment_id = found.id AND strpos(c.number, number_asked) > 0 ORDER BY c.number LIMIT 1)
    FROM unnest(boxed) AS found (id);
  IF NOT FOUND THEN
    RETURN QUERY SELECT id, NULL::uuid FROM unnest(named) AS found (id);
  END IF;
END $$;

-- ---------------------------------------------------------------- tenant isolation (docs/adr/0012)

-- A process that serves an account works as svc_tenant and sees the rows of the account that its session names, whatever a
-- statement says. The owner of the tables, as whom the workers connect, sees all. A role belongs to the server: another
-- database may have created it, or be creating it at this moment. Where the owner may not create roles, an administrator runs
-- these two statements before.
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
    -- Identity is established before the account is known, and not by svc_tenant.
    IF tenant_table NOT IN ('memberships'::regclass, 'user_sessions'::regclass, 'api_tokens'::regclass, 'invitations'::regclass,
      'oauth_records'::regclass) THEN
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO svc_tenant', tenant_table);
    END IF;
  END LOOP;
END $$;
-- The paid features of an account decide what its webhooks are sent: its own, and no more of the row than that.
ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON accounts TO svc_tenant USING (id = NULLIF(current_setting('svc.account_id', true), '')::uuid);
GRANT SELECT (id, features) ON accounts TO svc_tenant;
GRANT USAGE ON SCHEMA public TO svc_tenant;
GRANT SELECT ON shipping_lines, ports, port_aliases, metro_areas, terminals, vessels TO svc_tenant;
GRANT SELECT ON own_shipments, own_containers, own_search_texts, own_search_pieces, listed_transport_events TO svc_tenant;
